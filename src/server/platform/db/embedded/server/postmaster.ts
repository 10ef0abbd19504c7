import { spawn, type ChildProcess } from "node:child_process";
import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { monotonicMs } from "../../../clock.ts";
import { writeAccessFiles } from "../cluster/access-files.ts";
import type { ClusterLocation } from "../cluster/location.ts";
import { clearStaleLocks, readPostmasterFile } from "../cluster/postmaster-file.ts";
import { spawnAs } from "../os/accounts.ts";
import { chownTo } from "../os/chown.ts";
import { isAlive, isPostmasterOf, signal } from "../os/processes.ts";
import { CLEAN_ENVIRONMENT } from "../os/run-program.ts";
import { fatalLineSince, openServerLog } from "./log.ts";
import { makeSocketFolder } from "./socket-folder.ts";

/** What is needed to run the server of one cluster. */
export interface ServerSpec {
  location: ClusterLocation;
  /** Folder with `postgres`. */
  bin: string;
  socketFolder: string;
  /** The command line of `postgres`. */
  arguments: string[];
  /** Identifies binaries and settings; a running server with the same fingerprint is adopted. */
  fingerprint: string;
}

/** A postmaster that this process started. */
export interface Postmaster {
  hasEnded(): boolean;
  /** Returns why it ended. */
  reason(): Promise<string>;
  /** Stops it and waits until it has ended. */
  stop(): Promise<void>;
}

const WAIT_STEP_MS = 20;
const DEFAULT_SHUTDOWN_MS = 40_000;
const ABANDONED_SHUTDOWN_MS = 8000;

/** Starts the postmaster and returns at once. It survives this process and the terminal's Ctrl-C. */
export async function startPostmaster(spec: ServerSpec): Promise<Postmaster> {
  const { location, socketFolder } = spec;
  await restoreOwnerAndMode(location);
  await writeAccessFiles(location.clusterDir, location.account);
  await makeSocketFolder(socketFolder, location.account);
  await clearStaleLocks(location.clusterDir, socketFolder);
  const { handle, startsAt } = await openServerLog(location.home);
  try {
    const child = spawn(join(spec.bin, "postgres"), spec.arguments, {
      ...spawnAs(location.account),
      cwd: "/",
      env: CLEAN_ENVIRONMENT,
      detached: true,
      stdio: ["ignore", handle.fd, handle.fd],
    });
    return watch(child, location.clusterDir, () => fatalLineSince(location.home, startsAt));
  } finally {
    await handle.close();
  }
}

function watch(child: ChildProcess, clusterDir: string, readReason: () => Promise<string>): Postmaster {
  let ended = false;
  let failure: string | undefined;
  child.on("error", (error) => ([ended, failure] = [true, error.message]));
  child.on("exit", () => (ended = true));
  child.unref();
  return {
    hasEnded: () => ended,
    reason: async () => failure ?? readReason(),
    stop: () => stopPostmaster(child.pid ?? 0, clusterDir, () => undefined, ABANDONED_SHUTDOWN_MS),
  };
}

/** Restores the owner and mode that PostgreSQL requires; a restored or copied cluster may have lost them. */
async function restoreOwnerAndMode({ clusterDir, account }: ClusterLocation): Promise<void> {
  const { uid, mode } = await stat(clusterDir);
  if (account.switchesUser && uid !== account.uid) await chownTo(account, clusterDir);
  if ((mode & 0o777) !== 0o700) await chmod(clusterDir, 0o700);
}

/**
 * Stops a postmaster within `withinMs` milliseconds: by a fast shutdown, and by an immediate one in the last quarter of that time
 * (the next start then recovers from the log). A smart shutdown would wait for the connection that holds the lock.
 */
export async function stopPostmaster(
  pid: number,
  clusterDir: string,
  say: (line: string) => void,
  withinMs = DEFAULT_SHUTDOWN_MS,
): Promise<void> {
  if (!(await isPostmasterOf(pid, clusterDir))) return;
  signal(pid, "SIGINT");
  if (await waitUntilEnded(pid, withinMs * 0.75)) return;
  say("PostgreSQL does not stop: stopping it at once; the next start recovers");
  signal(pid, "SIGQUIT");
  if (!(await waitUntilEnded(pid, withinMs * 0.25))) say(`PostgreSQL (process ${pid}) does not end`);
}

/** Turns a smart shutdown into a fast one: a smart one would wait for our own connections. */
export async function hastenSmartShutdown(clusterDir: string): Promise<void> {
  const file = await readPostmasterFile(clusterDir).catch(() => undefined);
  if (file?.isStopping && (await isPostmasterOf(file.pid, clusterDir))) signal(file.pid, "SIGINT");
}

/** Returns whether the process ended in time. */
async function waitUntilEnded(pid: number, withinMs: number): Promise<boolean> {
  const deadline = monotonicMs() + withinMs;
  while (isAlive(pid)) {
    if (monotonicMs() > deadline) return false;
    await pause(WAIT_STEP_MS);
  }
  return true;
}
