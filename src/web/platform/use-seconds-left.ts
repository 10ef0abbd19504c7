import { useEffect, useState } from "react";

/** Whole seconds until a span that began at `start` is over; told anew every second, and at once when the page is seen again. */
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
