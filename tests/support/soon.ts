import { vi } from "vitest";

/** Repeats a check until it holds; its last error is thrown only after so long that a busy machine is no excuse. */
export const soon = <Result>(check: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { timeout: 30_000, interval: 20 });
