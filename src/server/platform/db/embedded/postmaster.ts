import { spawn, type ChildProcess } from "node:child_process";
import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { monotonicMs } from "../../clock.ts";
import { writeAccessFiles } from "./access-files.ts";
import { runsAs } from "./account.ts";
import { giveTo } from "./giving.ts";
import type { Place } from "./place.ts";
import { clearStaleLocks, readPostmasterFile } from "./postmaster-file.ts";
import { isAlive, isPostmasterOf, signal } from "./processes.ts";
import { CLEAN_ENVIRONMENT } from "./run.ts";
import { fatalLineSince, openServerLog } from "./server-log.ts";
import { makeSocketFolder } from "./socket-folder.ts";

/** All that is needed to run the server of one cluster. */
export interface Site {
  place: Place;
  bin: string;
  socketFolder: string;
  arguments: string[];
  fingerprint: string;
}

/** A server that we started. */
export interface Launched {
  hasEnded(): boolean;
  /** Why it ended. */
  reason(): Promise<string>;
  /** Stops it and waits until it is gone. */
  stop(): Promise<void>;
}

const WAIT_STEP = 20;
const LONGEST_SHUTDOWN_MS = 40_000;
const ABANDONED_SHUTDOWN_MS = 8000;

/** Starts the server and returns at once; it survives this process and the terminal's Ctrl-C. */
export async function launch(site: Site): Promise<Launched> {
  const { place, socketFolder } = site;
  await setRights(place);
  await writeAccessFiles(place.clusterDir, place.account);
  await makeSocketFolder(socketFolder, place.account);
  await clearStaleLocks(place.clusterDir, socketFolder);
  const { handle, startsAt } = await openServerLog(place.home);
  try {
    const child = spawn(join(site.bin, "postgres"), site.arguments, {
      ...runsAs(place.account),
      cwd: "/",
      env: CLEAN_ENVIRONMENT,
      detached: true,
      stdio: ["ignore", handle.fd, handle.fd],
    });
    return watch(child, place.clusterDir, () => fatalLineSince(place.home, startsAt));
  } finally {
    await handle.close();
  }
}

function watch(child: ChildProcess, clusterDir: string, lastWords: () => Promise<string>): Launched {
  let ended = false;
  let failure: string | undefined;
  child.on("error", (error) => ([ended, failure] = [true, error.message]));
  child.on("exit", () => (ended = true));
  child.unref();
  return {
    hasEnded: () => ended,
    reason: async () => failure ?? lastWords(),
    stop: () => stopPostmaster(child.pid ?? 0, clusterDir, () => undefined, ABANDONED_SHUTDOWN_MS),
  };
}

/** A restored or copied cluster may have lost the owner and the mode that PostgreSQL insists on. */
async function setRights({ clusterDir, account }: Place): Promise<void> {
  const { uid, mode } = await stat(clusterDir);
  if (account.stepsDown && uid !== account.uid) await giveTo(account, clusterDir);
  if ((mode & 0o777) !== 0o700) await chmod(clusterDir, 0o700);
}

/**
 * Stops a postmaster within `withinMs`: fast, and immediately in the last quarter of that time (the next start then recovers
 * from the log). Not by a smart shutdown, which would wait for the connection that holds the lock.
 */
export async function stopPostmaster(
  pid: number,
  clusterDir: string,
  say: (line: string) => void,
  withinMs = LONGEST_SHUTDOWN_MS,
): Promise<void> {
  if (!(await isPostmasterOf(pid, clusterDir))) return;
  signal(pid, "SIGINT");
  if (await ends(pid, withinMs * 0.75)) return;
  say("PostgreSQL does not stop: stopping it at once; the next start recovers");
  signal(pid, "SIGQUIT");
  if (!(await ends(pid, withinMs * 0.25))) say(`PostgreSQL (process ${pid}) does not end`);
}

/** Turns a smart shutdown, which would wait for our own connections for ever, into a fast one. */
export async function hastenShutdown(clusterDir: string): Promise<void> {
  const file = await readPostmasterFile(clusterDir).catch(() => undefined);
  if (file?.isStopping && (await isPostmasterOf(file.pid, clusterDir))) signal(file.pid, "SIGINT");
}

async function ends(pid: number, withinMs: number): Promise<boolean> {
  const deadline = monotonicMs() + withinMs;
  while (isAlive(pid)) {
    if (monotonicMs() > deadline) return false;
    await pause(WAIT_STEP);
  }
  return true;
}
