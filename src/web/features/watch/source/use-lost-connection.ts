import { useEffect } from "react";
import { refusalOf } from "./find-source.ts";

/** Milliseconds without bytes after which a film's connection may be lost. */
const patienceMs = 5000;

/** Calls `goOn` for a film that has lacked bytes for a while, if its link is refused or out of reach: a browser may never report it as an error (WATCH-5). */
export function useLostConnection(url: string | undefined, isLacking: boolean, goOn: () => Promise<void>): void {
  useEffect(() => {
    if (url === undefined || !isLacking) return;
    const lacking = new AbortController();
    const check = async (): Promise<void> => {
      const isServed = await refusalOf(url, lacking.signal).then(
        (refusal) => refusal === undefined,
        () => false,
      );
      if (!isServed && !lacking.signal.aborted) await goOn();
    };
    const timer = setTimeout(() => void check(), patienceMs);
    return () => {
      clearTimeout(timer);
      lacking.abort();
    };
  }, [url, isLacking, goOn]);
}
