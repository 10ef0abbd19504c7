import { randomBytes } from "node:crypto";
import { chmod, mkdir, readdir, realpath, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { chooseAccount, currentUser, type DbAccount } from "./account.ts";
import { elsewhereOf, rememberElsewhere } from "./elsewhere.ts";
import { DatabaseStartError, orAbsent, systemCode } from "./errors.ts";
import { giveTo } from "./giving.ts";
import { canReach } from "./run.ts";

/** Where the cluster of a data folder lives, and under which account. */
export interface Place {
  dataDir: string;
  /** Holds the cluster, its log and its socket folder. */
  home: string;
  clusterDir: string;
  account: DbAccount;
}

/** Finds the cluster of a data folder, or the place where its account can have one. Says so when that is elsewhere. */
export async function findPlace(dataDir: string, machineDir: string, say: (line: string) => void): Promise<Place> {
  await makeFolder(dataDir);
  const inside = join(await realpath(dataDir), "postgres");
  const elsewhere = await elsewhereOf(inside, machineDir);
  const existing = await firstWithCluster([inside, elsewhere]);
  const place = existing ? await placeOfExisting(existing, dataDir) : await placeForNew(inside, elsewhere, dataDir);
  if (place.home !== inside) {
    await makeFolder(inside);
    await rememberElsewhere(inside, place.home);
    say(`The database lives in ${place.home}: the account ${place.account.name} cannot use ${inside}`);
  }
  return place;
}

/** Whether a folder holds anything; an empty or missing one does not. */
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
    // A cluster of another account does not let us look inside.
    return systemCode(error) === "EACCES" && (await stat(join(home, "cluster")).catch(() => undefined)) !== undefined;
  }
}

async function placeOfExisting(home: string, dataDir: string): Promise<Place> {
  const clusterDir = join(home, "cluster");
  const owner = (await stat(clusterDir)).uid;
  const account = await chooseAccount(owner);
  if (!account.stepsDown && owner !== account.uid) {
    throw new DatabaseStartError(
      `The database in ${clusterDir} belongs to the user with id ${owner}, not to ${account.name}: start as that user`,
    );
  }
  if (account.stepsDown && owner !== account.uid) await giveTo(account, clusterDir);
  if (!(await canReach(account, "r", join(clusterDir, "PG_VERSION")))) {
    throw new DatabaseStartError(
      `The account ${account.name} can no longer reach the database in ${clusterDir}: let it enter the folders above`,
    );
  }
  return { dataDir, home, clusterDir, account };
}

async function placeForNew(inside: string, elsewhere: string, dataDir: string): Promise<Place> {
  const account = await chooseAccount();
  await makeFolder(inside);
  const home = (await canOwnFoldersIn(inside, account)) ? inside : elsewhere;
  if (home !== inside) await makeFolder(home);
  return { dataDir, home, clusterDir: join(home, "cluster"), account };
}

async function canOwnFoldersIn(home: string, account: DbAccount): Promise<boolean> {
  const probe = join(home, `probe-${randomBytes(6).toString("hex")}`);
  await mkdir(probe, { mode: 0o700 });
  try {
    await giveTo(account, probe);
    return await canReach(account, "w", probe);
  } catch {
    // A file system that refuses chown: the cluster cannot be here.
    return false;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

/** Step by step: a recursive mkdir tells ENOENT where the truth is a read-only disk. */
async function makeFolder(path: string): Promise<void> {
  if (await stat(path).catch(orAbsent)) return;
  await makeFolder(dirname(path));
  await mkdir(path).catch((error: unknown) => {
    if (systemCode(error) !== "EEXIST") throw error;
  });
  // A umask of 077 would keep the database's account out of a folder that is ours to open.
  if (currentUser().uid === 0) await chmod(path, 0o755);
}
