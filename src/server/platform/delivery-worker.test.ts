// Over 250 lines: every step of the worker at which it is slow, fails or is stopped.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DeliveryWorker, type WorkerParts } from "./delivery-worker.ts";

// The pauses of `stop` follow the test's time too.
const pauses = vi.hoisted(() => [] as unknown[]);
vi.mock("node:timers/promises", () => ({
  setTimeout(ms: number, _value: undefined, options: unknown) {
    pauses.push(options);
    return new Promise((resolve) => setTimeout(resolve, ms));
  },
}));

beforeEach(() => vi.useFakeTimers({ now: new Date("2026-11-22T12:00:00Z") }));
afterEach(async () => {
  const stops = workers.splice(0).map((worker) => worker.stop());
  await vi.runAllTimersAsync();
  await Promise.all(stops);
  vi.useRealTimers();
});

const workers: DeliveryWorker<string>[] = [];

/** A worker over a list of due rows, whose deliveries end when a test says so. */
function start(due: string[], parts: Partial<WorkerParts<string>> = {}) {
  const began: string[] = [];
  const claims: string[][] = [];
  const errors: string[] = [];
  const endings = new Map<string, Ending>();
  const signals = new Map<string, AbortSignal>();
  const worker = new DeliveryWorker<string>({
    endFutureWaits: () => Promise.resolve(),
    clock: { now: () => new Date(), steady: () => new Date() },
    mayClaim: () => true,
    claim: (busy) => {
      claims.push(busy);
      return Promise.resolve(due.shift());
    },
    deliver: (row, stop) => {
      began.push(row);
      signals.set(row, stop);
      const ending = newEnding();
      endings.set(row, ending);
      return ending.promise;
    },
    onError: (error) => errors.push(error.message),
    pollMs: 60_000,
    ...parts,
  });
  workers.push(worker);
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return { worker, began, claims, errors, signals, settle, end: (row: string) => endings.get(row)!.resolve() };
}

interface Ending {
  promise: Promise<void>;
  resolve: () => void;
}

function newEnding(): Ending {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const rows = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `row ${from + index}`);

describe("a worker", () => {
  it("ends future waits once before the first claim, again only after a failure", async () => {
    const calls: string[] = [];
    const endFutureWaits = (): Promise<void> => {
      calls.push("end");
      return calls.length === 1 ? Promise.reject(new Error("database away")) : Promise.resolve();
    };
    const { worker, claims, errors, settle } = start([], { endFutureWaits });
    await settle();
    expect([claims, errors]).toEqual([[], ["database away"]]);
    for (let time = 0; time < 2; time += 1) {
      worker.wake();
      await settle();
    }
    expect([calls, claims]).toEqual([
      ["end", "end"],
      [[], []],
    ]);
  });

  it("delivers four rows at a time and the next when one ends", async () => {
    const { began, end, settle, worker } = start(rows(6));
    await settle();
    expect(began).toEqual(rows(4));
    expect([...worker.inFlight.keys()]).toEqual(rows(4));
    end("row 1");
    await settle();
    expect(began).toEqual(rows(5));
    expect([...worker.inFlight.keys()]).toEqual(["row 0", "row 2", "row 3", "row 4"]);
  });

  it("claims none of the rows that it is delivering", async () => {
    const { claims, settle } = start(rows(2));
    await settle();
    expect(claims).toEqual([[], ["row 0"], ["row 0", "row 1"]]);
  });

  it("frees the slot of a delivery after five seconds, up to sixteen in all", async () => {
    const { began, settle } = start(rows(20));
    await settle();
    await vi.advanceTimersByTimeAsync(4999);
    expect(began).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(1);
    expect(began).toHaveLength(8);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(began).toHaveLength(16);
  });

  it("frees no slot for a delivery that ended in time", async () => {
    const { began, end, settle } = start(rows(12));
    await settle();
    end("row 0");
    await settle();
    expect(began).toHaveLength(5);
    await vi.advanceTimersByTimeAsync(5000);
    expect(began).toHaveLength(9);
  });

  it("looks for rows at every poll and when it is woken", async () => {
    const due: string[] = [];
    const { began, settle, worker } = start(due);
    await settle();
    due.push("polled");
    await vi.advanceTimersByTimeAsync(59_999);
    expect(began).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(began).toEqual(["polled"]);
    due.push("woken");
    worker.wake();
    await settle();
    expect(began).toEqual(["polled", "woken"]);
  });

  it("looks again when it is woken while it claims", async () => {
    const due: string[] = [];
    const claiming = newEnding();
    let count = 0;
    const { began, settle, worker } = start([], {
      claim: async () => {
        count += 1;
        if (count === 1) await claiming.promise;
        return count === 1 ? undefined : due.shift();
      },
    });
    await settle();
    due.push("late");
    worker.wake();
    claiming.resolve();
    await settle();
    expect(began).toEqual(["late"]);
  });

  it("claims nothing while it may not, and waits for the next poll", async () => {
    let isOpen = false;
    const { began, claims, settle } = start(rows(1), { mayClaim: () => isOpen });
    await settle();
    expect(claims).toEqual([]);
    isOpen = true;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(began).toEqual(rows(1));
  });
});

describe("a worker that fails", () => {
  it("reports a claim that failed, and forgets it once a claim works again", async () => {
    let isBroken = true;
    const { errors, settle, worker } = start([], {
      claim: () => (isBroken ? Promise.reject(new Error("No database.")) : Promise.resolve(undefined)),
    });
    await settle();
    expect(errors).toEqual(["No database."]);
    expect(worker.lastError).toEqual({
      message: expect.stringContaining("No database."),
      at: new Date("2026-11-22T12:00:00Z"),
    });
    expect(worker.lastClaimAt).toBeUndefined();
    isBroken = false;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(worker.lastError).toBeUndefined();
    expect(worker.lastClaimAt).toEqual(new Date("2026-11-22T12:01:00Z"));
  });

  it("reports a delivery that failed and goes on with the next row", async () => {
    const { began, errors, settle, worker } = start(rows(1), { deliver: () => Promise.reject(new Error("Not recorded.")) });
    await settle();
    expect(errors).toEqual(["Not recorded."]);
    expect([began, worker.inFlight.size]).toEqual([[], 0]);
  });
});

describe("a worker that stops", () => {
  it("begins the row that it is claiming, and claims no other", async () => {
    const claims: ((row: string) => void)[] = [];
    const { worker, began, settle } = start([], { claim: () => new Promise((resolve) => claims.push(resolve)) });
    await settle();
    void worker.stop();
    claims[0]!("row 0");
    await settle();
    expect([began, claims.length]).toEqual([["row 0"], 1]);
  });

  it("ends at once when nothing is on its way", async () => {
    const { settle, worker } = start([]);
    await settle();
    const time = Date.now();
    await worker.stop();
    expect(Date.now()).toBe(time);
  });

  it("waits for what is on its way and begins no other row", async () => {
    const { began, end, settle, signals, worker } = start(rows(9));
    await settle();
    let hasStopped = false;
    const stopped = worker.stop().then(() => {
      hasStopped = true;
    });
    await settle();
    for (const row of ["row 0", "row 1", "row 2"]) end(row);
    await settle();
    expect([hasStopped, signals.get("row 3")?.aborted]).toEqual([false, false]);
    end("row 3");
    await stopped;
    expect(began).toEqual(rows(4));
  });

  it("cuts off what does not end in 2.5 seconds, with a second for its record", async () => {
    const { settle, signals, worker } = start(rows(1));
    await settle();
    let hasStopped = false;
    void worker.stop().then(() => {
      hasStopped = true;
    });
    await vi.advanceTimersByTimeAsync(2499);
    expect(signals.get("row 0")?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([signals.get("row 0")?.aborted, hasStopped]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(999);
    expect(hasStopped).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(hasStopped).toBe(true);
  });

  it("keeps no process alive by its pauses", async () => {
    const { end, settle, worker } = start(rows(1));
    await settle();
    pauses.length = 0;
    const stopped = worker.stop();
    end("row 0");
    await stopped;
    expect(pauses).toEqual([{ ref: false }, { ref: false }]);
  });
});
