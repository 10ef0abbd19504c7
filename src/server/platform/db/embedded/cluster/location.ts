import { randomBytes } from "node:crypto";
import { mkdir, readdir, realpath, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseStartError, orAbsent, systemCode } from "../errors.ts";
import { chooseAccount, type DbAccount } from "../os/accounts.ts";
import { chownTo } from "../os/chown.ts";
import { makeFolder } from "../os/make-folder.ts";
import { canAccess } from "../os/run-program.ts";
import { findOutsideLocation, recordOutsideLocation } from "./outside-location.ts";

/** Where the cluster of a data folder lives, and under which account. */
export interface ClusterLocation {
  dataDir: string;
  /** Holds the cluster, its log and its socket folder. */
  home: string;
  clusterDir: string;
  account: DbAccount;
}

/**
 * Returns where the cluster of a data folder is, or where a new one goes: inside the data folder, or below `machineDir` when the
 * database's account has no access there (reported by `say`). Throws `DatabaseStartError` when an existing one cannot be used.
 */
export async function locateCluster(
  dataDir: string,
  machineDir: string,
  say: (line: string) => void,
): Promise<ClusterLocation> {
  await makeFolder(dataDir);
  const inside = join(await realpath(dataDir), "postgres");
  const outside = await findOutsideLocation(inside, machineDir);
  const existing = await firstWithCluster([inside, outside]);
  const location = existing ? await locateExisting(existing, dataDir) : await locateNew(inside, outside, dataDir);
  if (location.home !== inside) {
    await makeFolder(inside);
    await recordOutsideLocation(inside, location.home);
    say(`The database lives in ${location.home}: the account ${location.account.name} cannot use ${inside}`);
  }
  return location;
}

/** Returns whether a folder has any entry; false when it is missing. */
export async function hasContent(folder: string): Promise<boolean> {
  return ((await readdir(folder).catch(orAbsent)) ?? []).length > 0;
}

async function firstWithCluster(homes: string[]): Promise<string | undefined> {
  for (const home of homes) {
    if (await hasCluster(home)) return home;
  }
  return undefined;
}

async function hasCluster(home: string): Promise<boolean> {
  try {
    return (await stat(join(home, "cluster", "PG_VERSION"))).isFile();
  } catch (error) {
    // The cluster of another account cannot be read.
    return systemCode(error) === "EACCES" && (await stat(join(home, "cluster")).catch(() => undefined)) !== undefined;
  }
}

async function locateExisting(home: string, dataDir: string): Promise<ClusterLocation> {
  const clusterDir = join(home, "cluster");
  const owner = (await stat(clusterDir)).uid;
  const account = await chooseAccount(owner);
  if (!account.switchesUser && owner !== account.uid) {
    throw new DatabaseStartError(
      `The database in ${clusterDir} belongs to the user with id ${owner}, not to ${account.name}: start as that user`,
    );
  }
  if (account.switchesUser && owner !== account.uid) await chownTo(account, clusterDir);
  if (!(await canAccess(account, "r", join(clusterDir, "PG_VERSION")))) {
    throw new DatabaseStartError(
      `The account ${account.name} can no longer reach the database in ${clusterDir}: let it enter the folders above`,
    );
  }
  return { dataDir, home, clusterDir, account };
}

async function locateNew(inside: string, outside: string, dataDir: string): Promise<ClusterLocation> {
  const account = await chooseAccount();
  await makeFolder(inside);
  const home = (await canOwnFoldersIn(inside, account)) ? inside : outside;
  if (home !== inside) await makeFolder(home);
  return { dataDir, home, clusterDir: join(home, "cluster"), account };
}

async function canOwnFoldersIn(home: string, account: DbAccount): Promise<boolean> {
  const probe = join(home, `probe-${randomBytes(6).toString("hex")}`);
  await mkdir(probe, { mode: 0o700 });
  try {
    await chownTo(account, probe);
    return await canAccess(account, "w", probe);
  } catch {
    // The file system refuses chown.
    return false;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}
