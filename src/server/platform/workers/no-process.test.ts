import { ChildProcess, fork } from "node:child_process";
import { resolve } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { WorkerPool } from "./worker-pool.ts";

vi.mock("node:child_process", async (load) => {
  const processes = await load<typeof import("node:child_process")>();
  return { ...processes, fork: vi.fn<typeof processes.fork>(processes.fork) };
});

const script = resolve(import.meta.dirname, "../../../../tests/support/setup/pool-worker.mjs");
const limits = { maxProcesses: 1, maxWaiting: 2, maxWaitMs: 60_000, maxJobMs: 60_000, maxIdleMs: 60_000 };

let pool: WorkerPool<{ action: string }, unknown>;
beforeEach(() => (pool = new WorkerPool({ script, ...limits })));
afterEach(() => pool.close());

/** As Node.js without a free file descriptor: the process has no channel, and the error comes later. */
function withoutDescriptors(): ChildProcess {
  const child = new ChildProcess();
  process.nextTick(() => child.emit("error", new Error("spawn EMFILE")));
  return child;
}

function withoutMemory(): ChildProcess {
  throw new Error("spawn ENOMEM");
}

it.each([
  ["file descriptors", withoutDescriptors],
  ["memory", withoutMemory],
])("fails jobs as lost while no process can start for lack of %s", async (_what, failedFork) => {
  const last = pool.run("anna", { action: "last" });
  vi.mocked(fork).mockImplementationOnce(failedFork).mockImplementationOnce(failedFork);
  const lost = [pool.run("anna", { action: "echo" }), pool.run("anna", { action: "echo" })];
  await Promise.all(lost.map((job) => expect(job).rejects.toMatchObject({ reason: "lost" })));
  await last;
  await pool.run("anna", { action: "echo" });
});
