import { useEffect } from "react";

/** Clocks are corrected by less than this all the time, in milliseconds. */
const clockSlackMs = 5000;

/** Returns how far the clock is ahead of a count that nobody sets, in milliseconds; another number once the clock is set or the device has slept. */
export const clockOffset = (): number => Date.now() - performance.now();

/** Calls `react` once the clock is set after a `clockOffset` was taken, which is undefined where nothing depends on the clock so far. */
export function useClockSet(offset: number | undefined, react: () => unknown): void {
  useEffect(() => {
    if (offset === undefined) return;
    const timer = setInterval(() => {
      if (Math.abs(clockOffset() - offset) < clockSlackMs) return;
      clearInterval(timer);
      void react();
    }, 1000);
    return () => clearInterval(timer);
  }, [offset, react]);
}
