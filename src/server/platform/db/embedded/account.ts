import { readFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { DatabaseStartError } from "./errors.ts";

/** The operating system's account that PostgreSQL runs under. */
export interface DbAccount {
  name: string;
  uid: number;
  gid: number;
  home: string;
  /** True when we are root: PostgreSQL refuses root, so its processes step down to this account. */
  stepsDown: boolean;
}

/** Oneself, or for root an unprivileged account: the owner of the existing cluster, else `postgres`, else `nobody`. */
export async function chooseAccount(clusterOwner?: number): Promise<DbAccount> {
  const self = currentUser();
  if (self.uid !== 0) return { ...self, stepsDown: false };
  const accounts = (await readFile("/etc/passwd", "utf8")).split("\n").flatMap(parsePasswdLine);
  const chosen =
    accounts.find((account) => account.uid === clusterOwner) ??
    accounts.find((account) => account.name === "postgres") ??
    accounts.find((account) => account.name === "nobody");
  if (!chosen) {
    throw new DatabaseStartError("PostgreSQL refuses to run as root and there is no account postgres or nobody");
  }
  return { ...chosen, stepsDown: true };
}

/** The options of `spawn` that make a child run as this account. */
export function runsAs(account: DbAccount): { uid?: number; gid?: number } {
  return account.stepsDown ? { uid: account.uid, gid: account.gid } : {};
}

/** The account of this process. */
export function currentUser(): Omit<DbAccount, "stepsDown"> {
  try {
    const { username, uid, gid, homedir } = userInfo();
    return { name: username, uid, gid, home: homedir };
  } catch {
    throw new DatabaseStartError(
      `User id ${process.getuid?.()} has no entry in /etc/passwd, which PostgreSQL needs: add one or set DATABASE_URL`,
    );
  }
}

function parsePasswdLine(line: string): Omit<DbAccount, "stepsDown">[] {
  const [name, , uid, gid, , home] = line.split(":");
  // uid 0 under any name is root to PostgreSQL.
  return name && home !== undefined && Number(uid) > 0 ? [{ name, uid: Number(uid), gid: Number(gid), home }] : [];
}
