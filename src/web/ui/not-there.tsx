import type { ReactNode } from "react";
import { messageOf, productErrorOf } from "../platform/errors.ts";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

interface NotThereProps {
  error: Error | null;
  retry: () => void;
  /** The text for an address without an id. */
  missing: string;
  titles: { missing: string; notLoaded: string };
  backTo: string;
  backLabel: string;
}

/** In place of what an address names, where it does not exist, is not for the reader, or could not be loaded. */
export function NotThere({ error, retry, missing, titles, ...back }: NotThereProps): ReactNode {
  const { code, status } = productErrorOf(error);
  // An address that holds no id at all names none either.
  const text = code === "invalid_input" ? missing : messageOf(error, "unavailable");
  const isMissing = status < 500;
  return (
    <Notice
      code={isMissing ? "404" : String(status)}
      title={isMissing ? titles.missing : titles.notLoaded}
      action={!isMissing && <Button onClick={retry}>Try again</Button>}
      {...back}
    >
      {text}
    </Notice>
  );
}
