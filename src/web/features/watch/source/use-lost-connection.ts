import { useEffect } from "react";
import { pause } from "../../../platform/timing/pause.ts";
import { refusalOf } from "./find-source.ts";

/** Milliseconds without bytes after which a film's connection may be lost. */
const patienceMs = 5000;

/**
 * Calls `goOn` for a film that lacks bytes, and to which none have come for a while, if its link is refused or out of reach: a browser may never
 * report it as an error (WATCH-5). On a slow line bytes come, so that what was loaded is not thrown away.
 */
export function useLostConnection(
  video: HTMLVideoElement | null,
  url: string | undefined,
  isLacking: boolean,
  goOn: () => Promise<void>,
): void {
  useEffect(() => {
    if (!video || url === undefined || !isLacking) return;
    const lacking = new AbortController();
    const { signal } = lacking;
    let haveBytesCome = false;
    video.addEventListener("progress", () => (haveBytesCome = true), { signal });
    const isServed = (): Promise<boolean> =>
      refusalOf(url, signal).then(
        (refusal) => refusal === undefined,
        () => false,
      );
    const follow = async (): Promise<void> => {
      while (!signal.aborted) {
        haveBytesCome = false;
        await pause(patienceMs, signal);
        if (haveBytesCome || signal.aborted || (await isServed())) continue;
        if (!haveBytesCome && !signal.aborted) await goOn();
      }
    };
    void follow();
    return () => lacking.abort();
  }, [video, url, isLacking, goOn]);
}
