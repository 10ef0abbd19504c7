import { skipToken, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { ErrorCode, ProductError } from "#domain/errors/messages";
import { isAbort, productErrorOf } from "../../../platform/errors.ts";
import { maxTimerMs } from "../../../platform/timing/pause.ts";
import { findSource, refusalOf, type Source } from "./find-source.ts";

/** Seconds before the end of a link at which a film that plays asks for the next one. */
const renewBeforeSeconds = 120;

export interface FilmSource {
  source: Source | undefined;
  /** Why the film may not be played now. */
  error: ProductError | undefined;
  /** Whether the server cannot be reached, or cannot serve. */
  isWaiting: boolean;
  /** Checks the source, and finds another if it has ended; resolves with the one to play from, or undefined when there is none. */
  recover: () => Promise<Source | undefined>;
  /** Asks anew whether the film may be played, as the first time. */
  restart: () => Promise<Source | undefined>;
}

/**
 * Follows where a film plays from: asks at once, renews the link before it ends while the film plays, and checks it when the server says that
 * something has changed.
 */
export function useFilmSource(id: string, isPlaying: boolean): FilmSource {
  const [source, setSource] = useState<Source>();
  const [error, setError] = useState<ProductError>();
  const [isWaiting, setWaiting] = useState(false);
  /** The source whose link ends soon. */
  const [ending, setEnding] = useState<Source>();
  const running = useRef<AbortController>(undefined);
  const newest = useRef<Source>(undefined);

  const find = useCallback(
    async (before: Source | undefined): Promise<Source | undefined> => {
      running.current?.abort();
      const { signal } = (running.current = new AbortController());
      try {
        const found = await findSource(id, { before, onWaiting: () => setWaiting(true), signal });
        if (signal.aborted) return undefined;
        setWaiting(false);
        setError(undefined);
        newest.current = found;
        setSource(found);
        return found;
      } catch (thrown) {
        if (isAbort(thrown)) return undefined;
        setWaiting(false);
        setError(productErrorOf(thrown));
        return undefined;
      }
    },
    [id],
  );
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- sets it only after the reply
    void find(undefined);
    return () => running.current?.abort();
  }, [find]);

  useEffect(() => {
    if (!source) return;
    const ms = Date.parse(source.expires_at) - Date.now() - renewBeforeSeconds * 1000;
    // A clock that is far ahead must not ask again and again; an ended link is also noticed when it is refused.
    if (ms <= 0) return;
    const timer = setTimeout(() => setEnding(source), Math.min(ms, maxTimerMs));
    return () => clearTimeout(timer);
  }, [source]);

  const refusal = useRefusal(source?.url);
  const mustRenew = useRef(false);
  const recover = useCallback(() => find(mustRenew.current ? undefined : newest.current), [find]);
  const restart = useCallback(() => find(undefined), [find]);
  // The film was replaced, or its lesson is gone: asking to play says which. One that is paused asks when it goes on, since asking takes a place.
  const isFileGone = refusal?.code === "not_found";
  const mustAsk = isFileGone || (source !== undefined && source === ending);
  useEffect(() => {
    // A recovery that takes the place of a renewal renews too.
    mustRenew.current = mustAsk && isPlaying;
    // oxlint-disable-next-line react/set-state-in-effect -- sets it only after the reply
    if (mustAsk && isPlaying) void restart();
  }, [mustAsk, isPlaying, restart]);
  return { source, error: isFileGone ? error : (refusal ?? error), isWaiting, recover, restart };
}

/** Codes of a link that asking again renews. */
const renewable: readonly ErrorCode[] = ["link_invalid", "unavailable"];

/** Returns why the link of a film that plays is refused since something has changed. */
function useRefusal(url: string | undefined): ProductError | undefined {
  const { data } = useQuery({
    queryKey: ["film-refusal", url],
    queryFn: url === undefined ? skipToken : async ({ signal }) => (await refusalOf(url, signal)) ?? null,
    meta: { staleAfter: ["videos", "profile", "playback"] },
    // Accepted when it was made; only an event makes it worth asking.
    initialData: null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return data && !renewable.includes(data.code) ? data : undefined;
}
