import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { DatabaseStartError } from "./errors.ts";
import { knock, type Answer } from "./knock.ts";
import { OWNER_NAME } from "./ownership.ts";
import { hastenShutdown, launch, type Launched, type Site } from "./postmaster.ts";
import { readPostmasterFile } from "./postmaster-file.ts";
import { endOrphansOf, isPostmasterOf } from "./processes.ts";
import { logPath } from "./server-log.ts";

const STEP = 20;
// Recovery after a crash may take minutes; the server says so itself and we wait.
const LONGEST_WAIT = 30 * 60 * (1000 / STEP);
const TELL_AFTER = 3 * (1000 / STEP);
const PATIENCE_WITH_SILENCE = 10 * (1000 / STEP);
// A smart shutdown ends when its last client leaves, which may be never.
const PATIENCE_WITH_SHUTDOWN = 5 * (1000 / STEP);
const RELAUNCH_PAUSE = 250;
const RELAUNCHES = 40;

// Another process starts the same server, or the last backends of a killed one are still ending: both pass.
const PASSING = /lock file|shared memory block/;
const ORPHANED_MEMORY = /shared memory block/;

/** Connects to the cluster's server: the one that runs, else one that it starts. Aborted, it stops what it started. */
export async function reachServer(
  site: Site,
  say: (line: string) => void,
  stopped: AbortSignal,
): Promise<{ client: pg.Client; host: string }> {
  const attempts = new Attempts(site);
  for (let step = 0; step < LONGEST_WAIT; step++) {
    if (stopped.aborted) await attempts.abandon();
    stopped.throwIfAborted();
    const answer = await attempts.next();
    if (answer.kind === "open") return answer;
    if (step === TELL_AFTER) say("Waiting for PostgreSQL, which is starting or recovering ...");
    await pause(STEP);
  }
  throw new DatabaseStartError(`PostgreSQL did not become ready; see ${logPath(site.place.home)}`);
}

class Attempts {
  #site: Site;
  #launched: Launched | undefined;
  #relaunches = 0;
  #silence = 0;
  #shutdown = 0;

  constructor(site: Site) {
    this.#site = site;
  }

  async next(): Promise<Answer> {
    const { place, socketFolder } = this.#site;
    const file = await readPostmasterFile(place.clusterDir);
    // Both: a server of a moved folder still names the old place.
    const folders = [...new Set([file?.socketFolder ?? socketFolder, socketFolder])];
    const answer = await knock(folders, place.account, OWNER_NAME);
    if (answer.kind === "refused") throw this.#error(answer.reason);
    if (answer.kind === "mute") this.#endure(answer.reason);
    if (answer.kind === "absent") await this.#makeItRun(file?.pid);
    if (answer.kind === "changing" && file?.isStopping && ++this.#shutdown % PATIENCE_WITH_SHUTDOWN === 0) {
      await hastenShutdown(place.clusterDir);
    }
    return answer;
  }

  /** Stops a server that was started here and does not serve yet, so that nobody can own it. */
  async abandon(): Promise<void> {
    await this.#launched?.stop();
  }

  async #makeItRun(pidInFile: number | undefined): Promise<void> {
    if (this.#launched && !this.#launched.hasEnded()) return;
    if (this.#launched) await this.#judgeEnd(this.#launched);
    if (pidInFile && (await isPostmasterOf(pidInFile, this.#site.place.clusterDir))) {
      this.#endure(`the running process ${pidInFile} does not answer on its socket`);
    } else {
      this.#launched = await launch(this.#site);
    }
  }

  async #judgeEnd(launched: Launched): Promise<void> {
    this.#launched = undefined;
    const reason = await launched.reason();
    if (!PASSING.test(reason) || ++this.#relaunches > RELAUNCHES) throw this.#error(reason);
    if (ORPHANED_MEMORY.test(reason)) await endOrphansOf(this.#site.place.clusterDir);
    await pause(RELAUNCH_PAUSE);
  }

  #endure(reason: string): void {
    if (++this.#silence > PATIENCE_WITH_SILENCE) throw this.#error(reason);
  }

  #error(reason: string): DatabaseStartError {
    return new DatabaseStartError(`PostgreSQL did not start: ${reason} (log: ${logPath(this.#site.place.home)})`);
  }
}
