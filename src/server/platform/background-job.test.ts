import { once } from "node:events";
import { expect, it, vi } from "vitest";
import { soon } from "../../../tests/support/soon.ts";
import { BackgroundJob, retryWaitSeconds, type JobTask } from "./background-job.ts";
import type { FeedEvent } from "./realtime/changes.ts";

const errors: string[] = [];

function jobOf(...tasks: JobTask["run"][]): { job: BackgroundJob; publish: (topic: FeedEvent["topic"]) => void } {
  const listeners = new Set<(event: FeedEvent) => void>();
  const changes = {
    subscribe(listener: (event: FeedEvent) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const job = new BackgroundJob({
    changes,
    onError: (what, error) => void errors.push(`${what}: ${String(error)}`),
    topic: "film",
    pollMs: 3_600_000,
    tasks: tasks.map((run, index) => ({ failure: `Task ${index}`, run })),
  });
  return { job, publish: (topic) => listeners.forEach((listener) => listener({ topic })) };
}

it("runs at the start, at changes of its topic and after a gap, until stopped", async () => {
  const task = vi.fn<() => Promise<void>>(async () => {});
  const { job, publish } = jobOf(task);
  job.start();
  await soon(() => expect(task).toHaveBeenCalledTimes(1));
  publish("film");
  await soon(() => expect(task).toHaveBeenCalledTimes(2));
  publish("gap");
  await soon(() => expect(task).toHaveBeenCalledTimes(3));
  publish("mail");
  await job.stop();
  publish("film");
  await job.stop();
  expect(task).toHaveBeenCalledTimes(3);
});

it("queues one more run while one is running, and no third", async () => {
  let end = (): void => {};
  const task = vi.fn<() => Promise<void>>(() => new Promise((resolve) => (end = resolve)));
  const { job } = jobOf(task);
  const first = job.run();
  await soon(() => expect(task).toHaveBeenCalledTimes(1));
  const others = [job.run(), job.run()];
  end();
  await first;
  await soon(() => expect(task).toHaveBeenCalledTimes(2));
  end();
  await Promise.all(others);
  expect(task).toHaveBeenCalledTimes(2);
});

it("logs a task that fails and runs the next one", async () => {
  const next = vi.fn<() => Promise<void>>(async () => {});
  await jobOf(() => Promise.reject(new Error("no disk")), next).job.run();
  expect(errors).toEqual(["Task 0: Error: no disk"]);
  expect(next).toHaveBeenCalledTimes(1);
});

it("interrupts a running task and waits for its end", async () => {
  const begin = vi.fn<() => void>();
  const end = vi.fn<() => void>();
  const { job } = jobOf(async (stop) => {
    begin();
    await once(stop, "abort");
    end();
  });
  void job.run();
  await soon(() => expect(begin).toHaveBeenCalled());
  await job.stop();
  expect(end).toHaveBeenCalledTimes(1);
});

it("waits twice as long after each failure, up to an hour", () => {
  expect([1, 2, 3, 7, 8, 1000].map(retryWaitSeconds)).toEqual([30, 60, 120, 1920, 3600, 3600]);
});
