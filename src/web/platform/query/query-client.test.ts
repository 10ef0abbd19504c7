import { MutationObserver, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { invalidateAfter, queryClient } from "./query-client.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  queryClient.clear();
  vi.useRealTimers();
});

test("a query with a pause follows the first event, and all others at its end", async () => {
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

test("events that come during a change are followed together a second later", async () => {
  const queryFn = vi.fn<() => Promise<number>>().mockResolvedValue(1);
  const observer = new QueryObserver(queryClient, { queryKey: ["live"], queryFn, meta: { staleAfter: ["profile", "videos"] } });
  const stop = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  const mutationFn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 200));
  void new MutationObserver(queryClient, { mutationFn, meta: { holdsEvents: true } }).mutate();
  await vi.advanceTimersByTimeAsync(100);
  invalidateAfter("videos");
  await vi.advanceTimersByTimeAsync(200);
  // The change is done, and the one before is not overtaken.
  invalidateAfter("profile");
  await vi.advanceTimersByTimeAsync(700);
  expect(queryFn).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(queryFn).toHaveBeenCalledTimes(2);
  invalidateAfter("videos");
  await vi.advanceTimersByTimeAsync(0);
  expect(queryFn).toHaveBeenCalledTimes(3);
  stop();
});

test("events of quick changes are followed within half a minute", async () => {
  const queryFn = vi.fn<() => Promise<number>>().mockResolvedValue(1);
  const observer = new QueryObserver(queryClient, { queryKey: ["live"], queryFn, meta: { staleAfter: ["videos"] } });
  const stop = observer.subscribe(() => {});
  const mutationFn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 200));
  const changeFor = async (seconds: number): Promise<void> => {
    for (let change = 0; change < seconds * 2; change += 1) {
      void new MutationObserver(queryClient, { mutationFn, meta: { holdsEvents: true } }).mutate();
      await vi.advanceTimersByTimeAsync(0);
      invalidateAfter("videos");
      await vi.advanceTimersByTimeAsync(500);
    }
  };
  await changeFor(29.5);
  expect(queryFn).toHaveBeenCalledTimes(1);
  await changeFor(1);
  expect(queryFn).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(5000);
  expect(queryFn).toHaveBeenCalledTimes(3);
  stop();
});

// LIVE-1
test("an event during a query's first read is followed by another at its end", async () => {
  const queryFn = vi.fn<() => Promise<number>>(() => new Promise((resolve) => setTimeout(() => resolve(1), 100)));
  const observer = new QueryObserver(queryClient, { queryKey: ["first"], queryFn, meta: { staleAfter: ["videos"] } });
  const stop = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(50);
  invalidateAfter("videos");
  invalidateAfter("videos");
  await vi.advanceTimersByTimeAsync(40);
  expect(queryFn).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(20);
  expect(queryFn).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1000);
  expect(queryFn).toHaveBeenCalledTimes(2);
  stop();
});

// LIVE-1
test("an event during the read of a list that has left the page makes it stale", async () => {
  const queryFn = vi.fn<() => Promise<number>>(() => new Promise((resolve) => setTimeout(() => resolve(1), 100)));
  const options = { queryKey: ["left"], queryFn, meta: { staleAfter: ["videos" as const] } };
  const first = new QueryObserver(queryClient, options).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(100);
  invalidateAfter("videos");
  await vi.advanceTimersByTimeAsync(50);
  first();
  invalidateAfter("videos");
  await vi.advanceTimersByTimeAsync(100);
  expect(queryFn).toHaveBeenCalledTimes(2);
  const again = new QueryObserver(queryClient, options).subscribe(() => {});
  expect(queryFn).toHaveBeenCalledTimes(3);
  again();
});

test("an event in a query's pause makes a first read at its end stale too", async () => {
  const queryFn = vi.fn<() => Promise<number>>(() => new Promise((resolve) => setTimeout(() => resolve(1), 1500)));
  const options = { queryKey: ["slow"], queryFn, meta: { staleAfter: ["videos" as const], pauseMs: 1000 } };
  void queryClient.query({ ...options, queryFn: () => 0 });
  await vi.advanceTimersByTimeAsync(0);
  invalidateAfter("videos");
  queryClient.removeQueries({ queryKey: ["slow"] });
  const stop = new QueryObserver(queryClient, options).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(500);
  invalidateAfter("videos");
  await vi.advanceTimersByTimeAsync(1000);
  expect(queryFn).toHaveBeenCalledTimes(2);
  stop();
});
