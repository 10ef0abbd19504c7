import { randomBytes } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import type { DbAccount } from "./account.ts";
import { orAbsent } from "./errors.ts";

/** Makes a file, or the names in a folder, survive a power loss. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Puts a file of mode 0600 in place whole, under the account, unless it already says the same. */
export async function placeFile(path: string, text: string, account: DbAccount): Promise<void> {
  if ((await readFile(path, "utf8").catch(orAbsent)) === text) return;
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeNewFile(draft, text, account);
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeNewFile(path: string, text: string, account: DbAccount): Promise<void> {
  // wx: as root, never write through a link that the account put there.
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(text);
    if (account.stepsDown) await handle.chown(account.uid, account.gid);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
