import { chmod, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { orAbsent, systemCode } from "../errors.ts";
import { currentUser } from "./accounts.ts";

/** Makes a folder and its parents one by one: a recursive mkdir reports ENOENT on a read-only disk. */
export async function makeFolder(path: string): Promise<void> {
  if (await stat(path).catch(orAbsent)) return;
  await makeFolder(dirname(path));
  await mkdir(path).catch((error: unknown) => {
    if (systemCode(error) !== "EEXIST") throw error;
  });
  // A umask of 077 would exclude the database's account.
  if (currentUser().uid === 0) await chmod(path, 0o755);
}
