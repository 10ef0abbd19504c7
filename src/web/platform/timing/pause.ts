import { controllerWithin } from "../browsers/controller-within.ts";

/** Waits `ms` milliseconds, but not longer than until the browser is online again or the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      removeEventListener("online", wake);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    addEventListener("online", wake);
    signal.addEventListener("abort", wake);
    if (signal.aborted) wake();
  });
}

/** The longest time that browsers wait for in a timer, in milliseconds. */
export const maxTimerMs = 2 ** 31 - 1;

/** Resolves when a hidden page becomes visible or the browser is online again; after `ms` milliseconds when the page is visible already. */
export function untilVisible(ms: number, signal: AbortSignal): Promise<void> {
  if (document.visibilityState === "visible") return pause(ms, signal);
  const visible = controllerWithin(signal);
  document.addEventListener("visibilitychange", () => visible.abort(), { once: true, signal });
  return pause(maxTimerMs, visible.signal);
}
