import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { throttled } from "./throttled.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("acts at once, and once more at the end of the pause for all calls meanwhile", () => {
  const action = vi.fn<() => void>();
  const call = throttled(action, 100);
  call();
  expect(action).toHaveBeenCalledTimes(1);
  call();
  call();
  vi.advanceTimersByTime(99);
  expect(action).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(action).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1000);
  expect(action).toHaveBeenCalledTimes(2);
});

it("pauses again after the later action", () => {
  const action = vi.fn<() => void>();
  const call = throttled(action, 100);
  call();
  call();
  vi.advanceTimersByTime(100);
  call();
  expect(action).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(100);
  expect(action).toHaveBeenCalledTimes(3);
});
