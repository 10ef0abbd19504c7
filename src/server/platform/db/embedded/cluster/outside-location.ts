import { createHash } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseStartError, orAbsent } from "../errors.ts";
import { syncToDisk } from "../os/disk.ts";

/**
 * Returns the folder outside the data folder: the recorded one, so that a moved data folder keeps its database, or a new one.
 * Throws `DatabaseStartError` when the recorded one is missing or belongs to the folder that this one was copied from.
 */
export async function findOutsideLocation(inside: string, machineDir: string): Promise<string> {
  const recorded = await read(join(inside, "location"));
  if (!recorded) return join(machineDir, createHash("sha256").update(inside).digest("hex").slice(0, 12));
  const owner = await read(join(recorded, "data-folder"));
  if (!owner) {
    throw new DatabaseStartError(
      `The database of ${inside} is missing: it was in ${recorded}; bring it back, or delete ${join(inside, "location")}`,
    );
  }
  if (owner !== inside && (await read(join(owner, "location"))) === recorded) {
    throw new DatabaseStartError(
      `${inside} is a copy of ${owner} and would share its database: delete ${join(inside, "location")} for a new one`,
    );
  }
  return recorded;
}

/** Records in both folders that the data folder's database is in `home`. */
export async function recordOutsideLocation(inside: string, home: string): Promise<void> {
  // In this order: a recorded location without a folder means a lost database.
  await writeLine(join(home, "data-folder"), inside);
  await writeLine(join(inside, "location"), home);
}

/** In one step, durable: an empty file would mean a lost database. */
async function writeLine(path: string, text: string): Promise<void> {
  if ((await read(path)) === text) return;
  const draft = `${path}.draft`;
  await writeFile(draft, `${text}\n`);
  await syncToDisk(draft);
  await rename(draft, path);
  await syncToDisk(dirname(path));
}

async function read(path: string): Promise<string | undefined> {
  return (await readFile(path, "utf8").catch(orAbsent))?.trim();
}
