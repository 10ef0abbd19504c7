import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { majorOf } from "../binaries/find-binaries.ts";
import type { UsableBinaries } from "../binaries/usable-binaries.ts";
import { DatabaseStartError, orAbsent, systemCode } from "../errors.ts";
import { chownTo } from "../os/chown.ts";
import { syncToDisk } from "../os/disk.ts";
import { isAlive, killDatabasePrograms } from "../os/processes.ts";
import { run } from "../os/run-program.ts";
import { SUPERUSER, writeAccessFiles } from "./access-files.ts";
import { hasContent, type ClusterLocation } from "./location.ts";

const DRAFT = /^cluster\.new-(\d+)-[0-9a-f]+$/;
const REMOVED_DRAFT = /^cluster\.gone-/;
const ownDrafts = new Set<string>();

/**
 * Makes the cluster unless it exists. `durable`: waits for the disk. Throws `DatabaseStartError` when initdb fails or the existing
 * cluster is of another major version; when `stopped` aborts, ends initdb and throws its reason.
 */
export async function ensureCluster(
  location: ClusterLocation,
  binaries: UsableBinaries,
  durable: boolean,
  say: (line: string) => void,
  stopped: AbortSignal,
): Promise<void> {
  if (!(await hasContent(location.clusterDir))) {
    say("Creating the database, once ...");
    await removeDrafts(location.home);
    await createCluster(location, binaries, durable, stopped);
  }
  const found = (await readFile(join(location.clusterDir, "PG_VERSION"), "utf8").catch(orAbsent))?.trim();
  const ours = majorOf(binaries.version);
  if (!found) throw new DatabaseStartError(`${location.clusterDir} is no PostgreSQL database: move it away`);
  if (majorOf(found) !== ours) {
    throw new DatabaseStartError(
      `The database in ${location.clusterDir} was made by PostgreSQL ${found}; this is ${ours}. Nothing was changed: ` +
        "make a backup with the release that made it, and restore that into another DATA_DIR (docs/operations.md)",
    );
  }
}

/** Removes the drafts of starts that were killed during initdb, except those of running processes. */
export async function removeDrafts(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const pid = Number(DRAFT.exec(name)?.[1]);
    if (REMOVED_DRAFT.test(name) || (pid && !isInUse(name, pid))) await removeDraft(home, name);
  }
}

function isInUse(name: string, pid: number): boolean {
  return pid === process.pid ? ownDrafts.has(name) : isAlive(pid);
}

async function removeDraft(home: string, name: string): Promise<void> {
  // initdb may outlive the process that started it.
  await killDatabasePrograms(join(home, name));
  const gone = join(home, `cluster.gone-${randomBytes(6).toString("hex")}`);
  // Renamed first, so that no process renames a half-removed draft to the cluster.
  await rename(join(home, name), gone).catch(orAbsent);
  await removeFolder(gone);
}

async function removeFolder(path: string): Promise<void> {
  // The last child of initdb may still write; the next start removes the rest.
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(() => undefined);
}

/** Runs initdb in a draft folder and renames it when complete, so that a kill leaves no incomplete cluster. */
async function createCluster(
  location: ClusterLocation,
  binaries: UsableBinaries,
  durable: boolean,
  stopped: AbortSignal,
): Promise<void> {
  const name = `cluster.new-${process.pid}-${randomBytes(6).toString("hex")}`;
  const draft = join(location.home, name);
  // Its children share the pipe, so `run` returns only when they have ended too.
  const endInitdb = (): void => void killDatabasePrograms(draft);
  ownDrafts.add(name);
  try {
    await mkdir(draft, { mode: 0o700 });
    await chownTo(location.account, draft);
    stopped.throwIfAborted();
    stopped.addEventListener("abort", endInitdb, { once: true });
    await runInitdb(draft, location, binaries, durable).finally(() => stopped.throwIfAborted());
    await writeAccessFiles(draft, location.account);
    await syncToDisk(draft);
    await rename(draft, location.clusterDir).catch(acceptExistingCluster);
    await syncToDisk(location.home);
  } finally {
    stopped.removeEventListener("abort", endInitdb);
    await removeFolder(draft);
    ownDrafts.delete(name);
  }
}

/** Another process that started at the same time was first; its cluster is used. */
function acceptExistingCluster(error: unknown): void {
  if (!["ENOTEMPTY", "EEXIST"].includes(systemCode(error) ?? "")) throw error;
}

async function runInitdb(
  draft: string,
  location: ClusterLocation,
  { bin, version }: UsableBinaries,
  durable: boolean,
): Promise<void> {
  const builtin = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  const locale = majorOf(version) >= 17 ? builtin : ["--locale-provider=libc", "--locale=C.UTF-8"];
  const access = ["--auth-local=peer", "--auth-host=reject"];
  const fixed = ["-D", draft, "-U", SUPERUSER, "-E", "UTF8", "--data-checksums", "--no-instructions"];
  const sync = durable ? [] : ["--no-sync"];
  const { ok, error } = await run(join(bin, "initdb"), [...fixed, ...locale, ...access, ...sync], location.account);
  if (!ok) throw new DatabaseStartError(`The database could not be created in ${location.home}: ${error}`);
}
