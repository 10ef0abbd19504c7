import { QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { invalidateAfter, queryClient } from "./query-client.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  queryClient.clear();
  vi.useRealTimers();
});

test("a query with a pause follows the first event at once, and all others together at its end", async () => {
  const queryFn = vi.fn<() => Promise<number>>().mockResolvedValue(1);
  const observer = new QueryObserver(queryClient, {
    queryKey: ["paced"],
    queryFn,
    meta: { staleAfter: ["videos"], pauseMs: 1000 },
  });
  const stop = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  expect(queryFn).toHaveBeenCalledTimes(1);

  for (let event = 0; event < 20; event++) {
    invalidateAfter("videos");
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(queryFn).toHaveBeenCalledTimes(2);
  invalidateAfter("profile");
  await vi.advanceTimersByTimeAsync(1000);
  expect(queryFn).toHaveBeenCalledTimes(3);
  await vi.advanceTimersByTimeAsync(5000);
  expect(queryFn).toHaveBeenCalledTimes(3);
  invalidateAfter("videos");
  await vi.advanceTimersByTimeAsync(0);
  expect(queryFn).toHaveBeenCalledTimes(4);
  stop();
});
