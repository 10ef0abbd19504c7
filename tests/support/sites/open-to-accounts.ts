import { chmod } from "node:fs/promises";

/** Returns a folder that other accounts may enter: of mode 0700, root's own could not hold the database, which runs under another account. */
export async function openToAccounts(folder: string): Promise<string> {
  await chmod(folder, 0o755);
  return folder;
}
