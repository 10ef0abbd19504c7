// @vitest-environment happy-dom
import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clockOffset, useClockSet } from "./use-clock-set.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a clock that is set is told of once, until it is read again and set again", () => {
  const react = vi.fn<() => void>();
  const { rerender } = renderHook((offset: number | undefined) => useClockSet(offset, react), { initialProps: clockOffset() });
  vi.advanceTimersByTime(3_600_000);
  vi.setSystemTime(Date.now() + 4000);
  vi.advanceTimersByTime(10_000);
  expect(react).not.toHaveBeenCalled();

  vi.setSystemTime(Date.now() - 60_000);
  vi.advanceTimersByTime(10_000);
  expect(react).toHaveBeenCalledTimes(1);
  rerender(clockOffset());
  vi.advanceTimersByTime(10_000);
  expect(react).toHaveBeenCalledTimes(1);
  vi.setSystemTime(Date.now() + 6000);
  vi.advanceTimersByTime(1000);
  expect(react).toHaveBeenCalledTimes(2);
});

test("a clock that was set before its offset is displayed is told of too", () => {
  const react = vi.fn<() => void>();
  const offset = clockOffset();
  vi.setSystemTime(Date.now() + 60_000);
  const { rerender } = renderHook((before: number | undefined) => useClockSet(before, react), { initialProps: undefined });
  vi.advanceTimersByTime(10_000);
  expect(react).not.toHaveBeenCalled();
  rerender(offset);
  vi.advanceTimersByTime(1000);
  expect(react).toHaveBeenCalledTimes(1);
});
