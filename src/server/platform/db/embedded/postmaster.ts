import { spawn, type ChildProcess } from "node:child_process";
import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { writeAccessFiles } from "./access-files.ts";
import { runsAs } from "./account.ts";
import { giveTo } from "./giving.ts";
import type { Place } from "./place.ts";
import { clearStaleLocks } from "./postmaster-file.ts";
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
}

const WAIT_STEP = 20;
const STEPS_FOR_FAST_SHUTDOWN = 1500;
const STEPS_FOR_IMMEDIATE_SHUTDOWN = 400;

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
    return watch(child, () => fatalLineSince(place.home, startsAt));
  } finally {
    await handle.close();
  }
}

function watch(child: ChildProcess, lastWords: () => Promise<string>): Launched {
  let ended = false;
  let failure: string | undefined;
  child.on("error", (error) => ([ended, failure] = [true, error.message]));
  child.on("exit", () => (ended = true));
  child.unref();
  return { hasEnded: () => ended, reason: async () => failure ?? lastWords() };
}

/** A restored or copied cluster may have lost the owner and the mode that PostgreSQL insists on. */
async function setRights({ clusterDir, account }: Place): Promise<void> {
  const { uid, mode } = await stat(clusterDir);
  if (account.stepsDown && uid !== account.uid) await giveTo(account, clusterDir);
  if ((mode & 0o777) !== 0o700) await chmod(clusterDir, 0o700);
}

/** Stops a postmaster: fast, then immediately when it does not end (its log then recovers all at the next start). */
export async function stopPostmaster(pid: number, clusterDir: string, say: (line: string) => void): Promise<void> {
  if (!(await isPostmasterOf(pid, clusterDir))) return;
  signal(pid, "SIGINT");
  if (await ends(pid, STEPS_FOR_FAST_SHUTDOWN)) return;
  say("PostgreSQL does not stop: stopping it at once; the next start recovers");
  signal(pid, "SIGQUIT");
  if (!(await ends(pid, STEPS_FOR_IMMEDIATE_SHUTDOWN))) say(`PostgreSQL (process ${pid}) does not end`);
}

async function ends(pid: number, steps: number): Promise<boolean> {
  for (let step = 0; step < steps; step++) {
    if (!isAlive(pid)) return true;
    await pause(WAIT_STEP);
  }
  return false;
}
