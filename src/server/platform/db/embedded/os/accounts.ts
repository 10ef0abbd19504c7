import { readFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { DatabaseStartError } from "../errors.ts";

/** The operating system account that PostgreSQL runs under. */
export interface DbAccount {
  name: string;
  uid: number;
  gid: number;
  home: string;
  /** True when this process is root: PostgreSQL refuses root, so its processes run under this account. */
  switchesUser: boolean;
}

/**
 * Returns the current account, or for root an unprivileged one: the owner of the existing cluster, else `postgres`, else
 * `nobody`. Throws `DatabaseStartError` when root finds none of them.
 */
export async function chooseAccount(clusterOwner?: number): Promise<DbAccount> {
  const self = currentUser();
  if (self.uid !== 0) return { ...self, switchesUser: false };
  const accounts = (await readFile("/etc/passwd", "utf8")).split("\n").flatMap(parsePasswdLine);
  const chosen =
    accounts.find((account) => account.uid === clusterOwner) ??
    accounts.find((account) => account.name === "postgres") ??
    accounts.find((account) => account.name === "nobody");
  if (!chosen) {
    throw new DatabaseStartError("PostgreSQL refuses to run as root and there is no account postgres or nobody");
  }
  return { ...chosen, switchesUser: true };
}

/** Returns the options of `spawn` that run a child as this account. */
export function spawnAs(account: DbAccount): { uid?: number; gid?: number } {
  return account.switchesUser ? { uid: account.uid, gid: account.gid } : {};
}

/** Returns the account of this process. Throws `DatabaseStartError` when it has no entry in /etc/passwd. */
export function currentUser(): Omit<DbAccount, "switchesUser"> {
  try {
    const { username, uid, gid, homedir } = userInfo();
    return { name: username, uid, gid, home: homedir };
  } catch {
    throw new DatabaseStartError(
      `User id ${process.getuid?.()} has no entry in /etc/passwd, which PostgreSQL needs: add one or set DATABASE_URL`,
    );
  }
}

function parsePasswdLine(line: string): Omit<DbAccount, "switchesUser">[] {
  const [name, , uid, gid, , home] = line.split(":");
  // PostgreSQL refuses uid 0 under any name.
  return name && home !== undefined && Number(uid) > 0 ? [{ name, uid: Number(uid), gid: Number(gid), home }] : [];
}
