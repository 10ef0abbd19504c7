import { lchown, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { DbAccount } from "./account.ts";

/** Makes the account own a folder and all in it; nothing to do when we are the account. */
export async function giveTo(account: DbAccount, path: string): Promise<void> {
  if (!account.stepsDown) return;
  await lchown(path, account.uid, account.gid);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    // lchown: never follow a link out of the folder.
    if (entry.isDirectory()) await giveTo(account, inner);
    else await lchown(inner, account.uid, account.gid);
  }
}
