import { createHash } from "node:crypto";
import { chmod, lchown, lstat, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DbAccount } from "./account.ts";
import { DatabaseStartError } from "./errors.ts";
import type { Place } from "./place.ts";
import { PORT } from "./settings.ts";

// What sockaddr_un holds, less its closing zero byte.
const LONGEST_PATH = process.platform === "linux" ? 107 : 103;

/** The folder of the cluster's socket: beside the cluster, or a short one where that path would be too long. */
export function socketFolderOf(place: Place): string {
  const name = `pipwright-${createHash("sha256").update(place.clusterDir).digest("hex").slice(0, 12)}`;
  // Root's own tmpdir() may be closed to the database's account.
  const bases = place.account.stepsDown ? ["/tmp"] : [tmpdir(), "/tmp"];
  const folders = [join(place.home, "run"), ...bases.map((base) => join(base, name))];
  const folder = folders.find((candidate) => fits(candidate));
  if (!folder) throw new DatabaseStartError(`No folder is short enough for a socket: ${folders.join(", ")}`);
  return folder;
}

/** Makes the folder, mode 0700, the account's own; a stranger's folder under that name is an error. */
export async function makeSocketFolder(folder: string, account: DbAccount): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await refuseStrangers(folder, account);
  const { uid, mode } = await lstat(folder);
  if ((mode & 0o777) !== 0o700) await chmod(folder, 0o700);
  if (uid !== account.uid) await lchown(folder, account.uid, account.gid);
}

/** Refuses a socket folder that belongs to anyone but the account and root; a missing one is fine. */
export async function refuseStrangers(folder: string, account: DbAccount): Promise<void> {
  const found = await lstat(folder).catch(() => undefined);
  const ours = !found || (found.isDirectory() && (found.uid === account.uid || found.uid === 0));
  if (!ours) throw new DatabaseStartError(`The socket folder ${folder} belongs to someone else: remove it`);
}

function fits(folder: string): boolean {
  const path = join(folder, `.s.PGSQL.${PORT}`);
  // A line break would break postmaster.pid, which names the folder.
  return Buffer.byteLength(path) <= LONGEST_PATH && !path.includes("\n");
}
