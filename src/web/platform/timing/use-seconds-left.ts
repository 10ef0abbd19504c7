import { useEffect, useState } from "react";

/** Returns the whole seconds left of a span that began at `start`; updated every second, and when the page becomes visible. */
export function useSecondsLeft(start: number | undefined, spanMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (start === undefined) return;
    const tick = (): void => setNow(Date.now());
    const timer = setInterval(tick, 1000);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [start]);
  // The last tick may be older than a span that has just begun.
  return start === undefined ? 0 : Math.max(0, Math.ceil((start + spanMs - Math.max(now, start)) / 1000));
}
