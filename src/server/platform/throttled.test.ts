import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { throttled } from "./throttled.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("a throttled action runs at once, then once for all calls during the pause", () => {
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

it("a throttled action pauses again after its later run", () => {
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
