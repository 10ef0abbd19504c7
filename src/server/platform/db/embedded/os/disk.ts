import { randomBytes } from "node:crypto";
import { link, open, readFile, rename, rm } from "node:fs/promises";
import { orAbsent } from "../errors.ts";
import type { DbAccount } from "./accounts.ts";

/** What link(2) fails with on file systems without hard links, such as exFAT and many network shares. */
const withoutLinks = new Set(["EPERM", "ENOTSUP", "ENOSYS"]);

/** Flushes a file, or the entries of a folder, so that they survive a power loss. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Gives a draft its name. Throws `EEXIST` where another file has it. On a file system without hard links an empty file holds the name for a moment, and
 * the draft is gone afterwards. Tests pass a `makeLink` that fails.
 */
export async function nameDraft(draft: string, path: string, makeLink = link): Promise<void> {
  try {
    await makeLink(draft, path);
  } catch (error) {
    if (!withoutLinks.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    await (await open(path, "wx", 0o600)).close();
    try {
      await rename(draft, path);
    } catch (renameError) {
      await rm(path, { force: true });
      throw renameError;
    }
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
