import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { readPostmasterFile } from "../cluster/postmaster-file.ts";
import { DatabaseStartError } from "../errors.ts";
import { isPostmasterOf, stopOrphanedBackends } from "../os/processes.ts";
import { connectOnce, type Attempt } from "./connect.ts";
import { OWNER_NAME } from "./data-folder-lock.ts";
import { logPath } from "./log.ts";
import { hastenSmartShutdown, startPostmaster, type Postmaster, type ServerSpec } from "./postmaster.ts";

const STEP_MS = 20;
// Recovery after a crash may take minutes; the server reports "not ready" meanwhile.
const LONGEST_WAIT = 30 * 60 * (1000 / STEP_MS);
const REPORT_AFTER = 3 * (1000 / STEP_MS);
const BUSY_LIMIT = 10 * (1000 / STEP_MS);
// A smart shutdown ends when its last client leaves, which may be never.
const SHUTDOWN_LIMIT = 5 * (1000 / STEP_MS);
const RESTART_PAUSE_MS = 250;
const RESTARTS = 40;

// Another process is starting the same server, or the last backends of a killed one are still ending.
const TEMPORARY = /lock file|shared memory block/;
const ORPHANED_MEMORY = /shared memory block/;

/**
 * Returns a connection to the cluster's server, starting the server when none runs. Throws `DatabaseStartError` when it cannot
 * start or does not become ready within 30 minutes. When `stopped` aborts, stops what was started here and throws its reason.
 */
export async function waitUntilReady(
  spec: ServerSpec,
  say: (line: string) => void,
  stopped: AbortSignal,
): Promise<{ client: pg.Client; host: string }> {
  const probe = new ReadinessProbe(spec);
  for (let step = 0; step < LONGEST_WAIT; step++) {
    if (stopped.aborted) await probe.abandon();
    stopped.throwIfAborted();
    const attempt = await probe.next();
    if (attempt.kind === "connected") return attempt;
    if (step === REPORT_AFTER) say("Waiting for PostgreSQL, which is starting or recovering ...");
    await pause(STEP_MS);
  }
  throw new DatabaseStartError(`PostgreSQL did not become ready; see ${logPath(spec.location.home)}`);
}

class ReadinessProbe {
  #spec: ServerSpec;
  #postmaster: Postmaster | undefined;
  #restarts = 0;
  #busy = 0;
  #shutdown = 0;

  constructor(spec: ServerSpec) {
    this.#spec = spec;
  }

  /** Connects once; starts the server if it does not run. */
  async next(): Promise<Attempt> {
    const { location, socketFolder } = this.#spec;
    const file = await readPostmasterFile(location.clusterDir);
    // Both: the server of a moved data folder still names the old socket folder.
    const folders = [...new Set([file?.socketFolder ?? socketFolder, socketFolder])];
    const attempt = await connectOnce(folders, location.account, OWNER_NAME);
    if (attempt.kind === "refused") throw this.#error(attempt.reason);
    if (attempt.kind === "busy") this.#tolerate(attempt.reason);
    if (attempt.kind === "not_listening") await this.#startIfStopped(file?.pid);
    if (attempt.kind === "not_ready" && file?.isStopping && ++this.#shutdown % SHUTDOWN_LIMIT === 0) {
      await hastenSmartShutdown(location.clusterDir);
    }
    return attempt;
  }

  /** Stops a server that was started here and is not ready yet, so that no process owns it. */
  async abandon(): Promise<void> {
    await this.#postmaster?.stop();
  }

  async #startIfStopped(pidInFile: number | undefined): Promise<void> {
    if (this.#postmaster && !this.#postmaster.hasEnded()) return;
    if (this.#postmaster) await this.#handleExit(this.#postmaster);
    if (pidInFile && (await isPostmasterOf(pidInFile, this.#spec.location.clusterDir))) {
      this.#tolerate(`the running process ${pidInFile} does not answer on its socket`);
    } else {
      this.#postmaster = await startPostmaster(this.#spec);
    }
  }

  async #handleExit(postmaster: Postmaster): Promise<void> {
    this.#postmaster = undefined;
    const reason = await postmaster.reason();
    if (!TEMPORARY.test(reason) || ++this.#restarts > RESTARTS) throw this.#error(reason);
    if (ORPHANED_MEMORY.test(reason)) await stopOrphanedBackends(this.#spec.location.clusterDir);
    await pause(RESTART_PAUSE_MS);
  }

  #tolerate(reason: string): void {
    if (++this.#busy > BUSY_LIMIT) throw this.#error(reason);
  }

  #error(reason: string): DatabaseStartError {
    return new DatabaseStartError(`PostgreSQL did not start: ${reason} (log: ${logPath(this.#spec.location.home)})`);
  }
}
