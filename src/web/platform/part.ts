import { useEffect, useEffectEvent, useState } from "react";
import { ProductError } from "#domain/errors/messages";
import { logError } from "./errors.ts";

/** Loads a part of the program on first use. Throws `part_not_loaded` without a connection, and where only an older release had it. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (thrown) {
    logError(thrown);
    throw new ProductError("part_not_loaded");
  }
}

/**
 * Returns whether a part was loaded since it was first needed. After an error it is loaded again when it is needed anew. A component of
 * `React.lazy` is rendered only then: by itself it would take the whole page down, and never load again.
 */
export function useLoaded(isNeeded: boolean, load: () => Promise<unknown>, onError: (error: Error) => void): boolean {
  const [isLoaded, setLoaded] = useState(false);
  const isMissing = isNeeded && !isLoaded;
  const begin = useEffectEvent(() => void loadPart(load).then(() => setLoaded(true), onError));
  useEffect(() => {
    if (isMissing) begin();
  }, [isMissing]);
  return isLoaded;
}
