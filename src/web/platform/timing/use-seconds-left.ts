import { useEffect, useState } from "react";

/** Clocks are corrected by less than this all the time, in milliseconds. */
const clockSlackMs = 5000;

/**
 * Returns the whole seconds left of a span that began at `start`; updated every second, and when the page becomes visible. None are left once the
 * clock was set back to before the start, since how long ago that was is not known any more.
 */
export function useSecondsLeft(start: number | undefined, spanMs: number): number {
  const [now, setNow] = useState(Date.now);
  const [lostStart, setLostStart] = useState<number>();
  useEffect(() => {
    if (start === undefined) return;
    const tick = (): void => {
      setNow(Date.now());
      if (Date.now() < start - clockSlackMs) setLostStart(start);
    };
    const timer = setInterval(tick, 1000);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [start]);
  if (start === undefined || start === lostStart) return 0;
  // The last tick may be older than a span that has just begun.
  return Math.max(0, Math.ceil((start + spanMs - Math.max(now, start)) / 1000));
}
