import { lchown, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { DbAccount } from "./accounts.ts";

/** Changes the owner of a folder and everything in it to the account, recursively. Does nothing unless this process is root. */
export async function chownTo(account: DbAccount, path: string): Promise<void> {
  if (!account.switchesUser) return;
  await lchown(path, account.uid, account.gid);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    // lchown: never follow a link out of the folder.
    if (entry.isDirectory()) await chownTo(account, inner);
    else await lchown(inner, account.uid, account.gid);
  }
}
