import { vi } from "vitest";

/** Repeats a check until it holds; throws its last error after a timeout long enough for a busy machine. */
export const soon = <Result>(check: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { timeout: 90_000, interval: 20 });
