import { createHash } from "node:crypto";
import { chmod, lchown, lstat, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClusterLocation } from "../cluster/location.ts";
import { PORT } from "../cluster/settings.ts";
import { DatabaseStartError } from "../errors.ts";
import type { DbAccount } from "../os/accounts.ts";

// The length of sockaddr_un's path without its closing zero byte.
const LONGEST_PATH = process.platform === "linux" ? 107 : 103;

/** Returns the folder of the cluster's socket: beside the cluster, or below /tmp where that path would be too long. */
export function socketFolderOf(location: ClusterLocation): string {
  const name = `pipwright-${createHash("sha256").update(location.clusterDir).digest("hex").slice(0, 12)}`;
  // Root's own tmpdir() may be closed to the database's account.
  const bases = location.account.switchesUser ? ["/tmp"] : [tmpdir(), "/tmp"];
  const folders = [join(location.home, "run"), ...bases.map((base) => join(base, name))];
  const folder = folders.find((candidate) => fits(candidate));
  if (!folder) throw new DatabaseStartError(`No folder is short enough for a socket: ${folders.join(", ")}`);
  return folder;
}

/** Makes the folder with mode 0700, owned by the account. Throws when it belongs to someone else. */
export async function makeSocketFolder(folder: string, account: DbAccount): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await refuseForeignFolder(folder, account);
  const { uid, mode } = await lstat(folder);
  if ((mode & 0o777) !== 0o700) await chmod(folder, 0o700);
  if (uid !== account.uid) await lchown(folder, account.uid, account.gid);
}

/** Throws when a socket folder belongs to anyone but the account or root. A missing folder is accepted. */
export async function refuseForeignFolder(folder: string, account: DbAccount): Promise<void> {
  const found = await lstat(folder).catch(() => undefined);
  const ours = !found || (found.isDirectory() && (found.uid === account.uid || found.uid === 0));
  if (!ours) throw new DatabaseStartError(`The socket folder ${folder} belongs to someone else: remove it`);
}

function fits(folder: string): boolean {
  const path = join(folder, `.s.PGSQL.${PORT}`);
  // postmaster.pid holds the folder on one line.
  return Buffer.byteLength(path) <= LONGEST_PATH && !path.includes("\n");
}
