import { InfiniteQueryObserver, MutationObserver, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ProductError, type ErrorCode } from "#domain/errors/messages";
import { invalidateAfter, queryClient } from "./query-client.ts";
import { reportError } from "./reported-error.ts";

vi.mock("./reported-error.ts", () => ({ reportError: vi.fn<() => void>(), endError: vi.fn<() => void>() }));

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

/** Reads 1, fails `failures` times after an event, then reads 2. */
async function failAfterEvent(error: ProductError, failures: number, more: { reportAs?: ErrorCode } = {}) {
  const queryFn = vi.fn<() => Promise<number>>().mockResolvedValue(2).mockResolvedValueOnce(1);
  for (let failure = 0; failure < failures; failure += 1) queryFn.mockRejectedValueOnce(error);
  const observer = new QueryObserver(queryClient, {
    queryKey: ["failing"],
    queryFn,
    meta: { staleAfter: ["profile"], ...more },
  });
  const stop = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  invalidateAfter("profile");
  await vi.advanceTimersByTimeAsync(3000);
  return { queryFn, observer, stop };
}

// LIVE-1
test("what could not be read after an event is read again until it is there", async () => {
  const { queryFn, observer, stop } = await failAfterEvent(new ProductError("unavailable"), 6);
  expect(observer.getCurrentResult()).toMatchObject({ data: 1, isError: true });
  expect(queryFn).toHaveBeenCalledTimes(4);
  // "Try again" does not make it ask more often.
  void observer.refetch();
  await vi.advanceTimersByTimeAsync(3000);
  expect(queryFn).toHaveBeenCalledTimes(7);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(observer.getCurrentResult()).toMatchObject({ data: 2, isError: false });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(queryFn).toHaveBeenCalledTimes(8);
  stop();
});

test("what a page writes into data does not end its being read again", async () => {
  const { observer, stop } = await failAfterEvent(new ProductError("unavailable"), 3);
  queryClient.setQueryData(["failing"], 5);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(observer.getCurrentResult()).toMatchObject({ data: 2 });
  stop();
});

test("a read that goes on failing is repeated ever more rarely, and reported once", async () => {
  const random = vi.spyOn(Math, "random").mockReturnValue(0.999);
  const meta = { reportAs: "unavailable" as const };
  const { queryFn, stop } = await failAfterEvent(new ProductError("unavailable"), 1000, meta);
  await vi.advanceTimersByTimeAsync(1_800_000);
  expect(queryFn).toHaveBeenCalledTimes(1 + 3 * 9);
  expect(reportError).toHaveBeenCalledTimes(1);
  stop();
  random.mockRestore();
});

test("pages whose reads failed together do not all come back at once", async () => {
  const random = vi.spyOn(Math, "random").mockReturnValue(0);
  const early = await failAfterEvent(new ProductError("offline"), 3);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(early.queryFn).toHaveBeenCalledTimes(5);
  early.stop();
  queryClient.clear();
  random.mockReturnValue(0.999);
  const late = await failAfterEvent(new ProductError("offline"), 3);
  await vi.advanceTimersByTimeAsync(19_000);
  expect(late.queryFn).toHaveBeenCalledTimes(4);
  await vi.advanceTimersByTimeAsync(1000);
  expect(late.queryFn).toHaveBeenCalledTimes(5);
  late.stop();
  random.mockRestore();
});

test("a refusal is not asked about again, nor data that has left the page", async () => {
  const refused = await failAfterEvent(new ProductError("not_allowed"), 3);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(refused.queryFn).toHaveBeenCalledTimes(2);
  refused.stop();
  queryClient.clear();
  const left = await failAfterEvent(new ProductError("unavailable"), 3);
  left.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(left.queryFn).toHaveBeenCalledTimes(4);
});

test("a first read or a further page that failed waits for its button", async () => {
  const queryFn = vi.fn<() => Promise<number>>().mockRejectedValue(new ProductError("unavailable"));
  const stopFirst = new QueryObserver(queryClient, { queryKey: ["first"], queryFn }).subscribe(() => {});
  const pageFn = vi.fn<() => Promise<number>>().mockRejectedValue(new ProductError("unavailable")).mockResolvedValueOnce(1);
  const list = new InfiniteQueryObserver(queryClient, {
    queryKey: ["pages"],
    queryFn: pageFn,
    initialPageParam: 0,
    getNextPageParam: () => 1,
  });
  const stopList = list.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  void list.fetchNextPage();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(queryFn).toHaveBeenCalledTimes(3);
  expect(pageFn).toHaveBeenCalledTimes(4);
  stopFirst();
  stopList();
});
