import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ROLE, writeAccessFiles } from "./access-files.ts";
import { majorOf } from "./binaries.ts";
import { syncToDisk } from "./disk.ts";
import { DatabaseStartError, orAbsent, systemCode } from "./errors.ts";
import { giveTo } from "./giving.ts";
import { hasContent, type Place } from "./place.ts";
import { isAlive, killDatabaseProgramsOn } from "./processes.ts";
import { run } from "./run.ts";
import type { UsableBinaries } from "./usable-binaries.ts";

const DRAFT = /^cluster\.new-(\d+)-[0-9a-f]+$/;
const DISCARDED = /^cluster\.gone-/;
const draftsInHand = new Set<string>();

/** Makes the cluster unless it is there, and refuses one that these binaries cannot run. */
export async function ensureCluster(
  place: Place,
  binaries: UsableBinaries,
  durable: boolean,
  say: (line: string) => void,
  stopped: AbortSignal,
): Promise<void> {
  if (!(await hasContent(place.clusterDir))) {
    say("Creating the database, once ...");
    await removeLeftovers(place.home);
    await createCluster(place, binaries, durable, stopped);
  }
  const found = (await readFile(join(place.clusterDir, "PG_VERSION"), "utf8").catch(orAbsent))?.trim();
  const ours = majorOf(binaries.version);
  if (!found) throw new DatabaseStartError(`${place.clusterDir} is no PostgreSQL database: move it away`);
  if (majorOf(found) !== ours) {
    throw new DatabaseStartError(
      `The database in ${place.clusterDir} was made by PostgreSQL ${found}; this is ${ours}. Nothing was changed`,
    );
  }
}

/** Removes what starts that were killed during initdb left, but nothing that a living process works on. */
export async function removeLeftovers(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const maker = Number(DRAFT.exec(name)?.[1]);
    if (DISCARDED.test(name) || (maker && !isInUse(name, maker))) await discard(home, name);
  }
}

function isInUse(name: string, maker: number): boolean {
  return maker === process.pid ? draftsInHand.has(name) : isAlive(maker);
}

async function discard(home: string, name: string): Promise<void> {
  // initdb outlives the process that started it, if only for a moment.
  await killDatabaseProgramsOn(join(home, name));
  const gone = join(home, `cluster.gone-${randomBytes(6).toString("hex")}`);
  // Renamed first, so that nobody can put a half-removed folder in place.
  await rename(join(home, name), gone).catch(orAbsent);
  await removeFolder(gone);
}

async function removeFolder(path: string): Promise<void> {
  // What resists (initdb's last child may still write) is removed by the next start.
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(() => undefined);
}

/** initdb works in a folder of its own that is renamed when it is complete: a kill leaves no half cluster behind. */
async function createCluster(place: Place, binaries: UsableBinaries, durable: boolean, stopped: AbortSignal): Promise<void> {
  const name = `cluster.new-${process.pid}-${randomBytes(6).toString("hex")}`;
  const draft = join(place.home, name);
  // initdb's own children hold the pipe to us, so that its run ends only when they are gone too.
  const endInitdb = (): void => void killDatabaseProgramsOn(draft);
  draftsInHand.add(name);
  try {
    await mkdir(draft, { mode: 0o700 });
    await giveTo(place.account, draft);
    stopped.throwIfAborted();
    stopped.addEventListener("abort", endInitdb, { once: true });
    await runInitdb(draft, place, binaries, durable).finally(() => stopped.throwIfAborted());
    await writeAccessFiles(draft, place.account);
    await syncToDisk(draft);
    await rename(draft, place.clusterDir).catch(acceptRival);
    await syncToDisk(place.home);
  } finally {
    stopped.removeEventListener("abort", endInitdb);
    await removeFolder(draft);
    draftsInHand.delete(name);
  }
}

/** Another process that started at the same moment was first: its cluster is as good as ours. */
function acceptRival(error: unknown): void {
  if (!["ENOTEMPTY", "EEXIST"].includes(systemCode(error) ?? "")) throw error;
}

async function runInitdb(draft: string, place: Place, { bin, version }: UsableBinaries, durable: boolean): Promise<void> {
  const builtin = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  const locale = majorOf(version) >= 17 ? builtin : ["--locale-provider=libc", "--locale=C.UTF-8"];
  const access = ["--auth-local=peer", "--auth-host=reject"];
  const fixed = ["-D", draft, "-U", ROLE, "-E", "UTF8", "--data-checksums", "--no-instructions"];
  const sync = durable ? [] : ["--no-sync"];
  const { ok, complaint } = await run(join(bin, "initdb"), [...fixed, ...locale, ...access, ...sync], place.account);
  if (!ok) throw new DatabaseStartError(`The database could not be created in ${place.home}: ${complaint}`);
}
