import { randomBytes } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { orAbsent } from "../errors.ts";
import type { DbAccount } from "./accounts.ts";

/** Flushes a file, or the entries of a folder, so that they survive a power loss. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a file with mode 0600, owned by the account, in one step. Does nothing when the content is the same. */
export async function writeFileAtomically(path: string, text: string, account: DbAccount): Promise<void> {
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
  // wx: root must not write through a link that the account made.
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(text);
    if (account.switchesUser) await handle.chown(account.uid, account.gid);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
