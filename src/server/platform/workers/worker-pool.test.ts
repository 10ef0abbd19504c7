import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { WorkerPool, type PoolSettings } from "./worker-pool.ts";

interface Job {
  [key: string]: string;
  action: "echo" | "hang" | "abort" | "grow" | "kill" | "wait" | "last";
  value: string;
}

interface Reply {
  value: string;
  pid: number;
  secrets: string[];
}

const script = resolve(import.meta.dirname, "../../../../tests/support/setup/pool-worker.mjs");
const echo: Job = { action: "echo", value: "hello" };

let folder: string;
let pool: WorkerPool<Job, Reply>;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), "pipwright-jobs-"))));
afterEach(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

function open(settings: Partial<PoolSettings> = {}): void {
  const limits = { maxProcesses: 1, maxWaiting: 10, maxWaitMs: 60_000, maxJobMs: 60_000, maxIdleMs: 60_000 };
  pool = new WorkerPool<Job, Reply>({ script, ...limits, ...settings });
}

const run = (job: Job, owner = "anna"): Promise<Reply> => pool.run(owner, job);
const release = (name: string): Promise<void> => writeFile(join(folder, name), "");
const untilReleased = (name: string): Job => ({ action: "wait", value: join(folder, name) });

it("runs one job after another in the same process", async () => {
  open();
  const first = await run(echo);
  expect(first.value).toBe("hello");
  expect(first.pid).not.toBe(process.pid);
  expect((await run(echo)).pid).toBe(first.pid);
});

it("passes no environment on but its own", async () => {
  open();
  expect((await run(echo)).secrets).toEqual(["MALLOC_ARENA_MAX"]);
});

it("kills a job that takes too long and runs the next in a new process", async () => {
  open({ maxJobMs: 10_000 });
  const { pid } = await run(echo);
  await expect(run({ action: "hang", value: "" })).rejects.toMatchObject({ reason: "timeout" });
  expect(isRunning(pid)).toBe(false);
  expect((await run(echo)).value).toBe("hello");
});

it.each([
  ["abort", "crashed"],
  ["grow", "memory"],
  ["kill", "lost"],
] as const)("tells why a process ended during a job: %s is %s", async (action, reason) => {
  open();
  await expect(run({ action, value: "" })).rejects.toMatchObject({ reason });
  expect((await run(echo)).value).toBe("hello");
});

it("blames no job for a process that cannot start", async () => {
  open({ script: join(folder, "none.js") });
  await expect(run(echo)).rejects.toMatchObject({ reason: "lost" });
});

it("replaces a process after its last reply", async () => {
  open();
  const { pid } = await run({ action: "last", value: "" });
  expect((await run(echo)).pid).not.toBe(pid);
});

it("ends a process that has had nothing to do", async () => {
  open({ maxIdleMs: 1 });
  const { pid } = await run(echo);
  await expect.poll(() => isRunning(pid)).toBe(false);
  expect((await run(echo)).pid).not.toBe(pid);
});

it("lets owners take turns", async () => {
  open();
  const order: string[] = [];
  const enqueue = (owner: string, value: string) => run({ action: "echo", value }, owner).then(() => order.push(value));
  const running = run(untilReleased("go"));
  const waiting = ["a1", "a2", "a3"].map((value) => enqueue("anna", value)).concat(enqueue("ben", "b1"), enqueue("carl", "c1"));
  await release("go");
  await Promise.all([running, ...waiting]);
  expect(order).toEqual(["a1", "b1", "c1", "a2", "a3"]);
});

it("refuses a job at once when too many wait, and keeps those", async () => {
  open({ maxWaiting: 1 });
  const running = run(untilReleased("go"));
  const waiting = run(echo);
  await expect(run(echo)).rejects.toMatchObject({ reason: "busy" });
  await release("go");
  await Promise.all([running, waiting]);
});

it("rejects a job that has waited too long and runs the others", async () => {
  open({ maxWaitMs: 20 });
  const running = run(untilReleased("go"));
  await expect(run(echo)).rejects.toMatchObject({ reason: "busy" });
  await release("go");
  await running;
  expect((await run(echo)).value).toBe("hello");
});

it("runs as many jobs at once as it has processes", async () => {
  open({ maxProcesses: 2 });
  const blocked = run(untilReleased("go"));
  expect((await run(echo, "ben")).value).toBe("hello");
  await release("go");
  await blocked;
});

it("fails what waits and what runs when it is closed, and takes nothing more", async () => {
  open();
  const jobs = [run(untilReleased("never")), run(echo)].map((job) => expect(job).rejects.toMatchObject({ name: "JobError" }));
  await pool.close();
  await Promise.all(jobs);
  await expect(run(echo)).rejects.toMatchObject({ reason: "busy" });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
