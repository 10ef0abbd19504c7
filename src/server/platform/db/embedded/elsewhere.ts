import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseStartError, orAbsent } from "./errors.ts";

/** The place outside the data folder: the one written down there (a moved folder keeps its database), else a new one. */
export async function elsewhereOf(inside: string, machineDir: string): Promise<string> {
  const written = await read(join(inside, "location"));
  if (!written) return join(machineDir, createHash("sha256").update(inside).digest("hex").slice(0, 12));
  const owner = await read(join(written, "data-folder"));
  if (!owner) {
    throw new DatabaseStartError(
      `The database of ${inside} is missing: it was in ${written}; bring it back, or delete ${join(inside, "location")}`,
    );
  }
  if (owner !== inside && (await read(join(owner, "location"))) === written) {
    throw new DatabaseStartError(
      `${inside} is a copy of ${owner} and would share its database: delete ${join(inside, "location")} for a new one`,
    );
  }
  return written;
}

/** Writes down on both sides that the data folder's database lives in `home`. */
export async function rememberElsewhere(inside: string, home: string): Promise<void> {
  // In this order: a note inside that leads nowhere means a database that got lost.
  await note(join(home, "data-folder"), inside);
  await note(join(inside, "location"), home);
}

async function note(path: string, text: string): Promise<void> {
  if ((await read(path)) !== text) await writeFile(path, `${text}\n`);
}

async function read(path: string): Promise<string | undefined> {
  return (await readFile(path, "utf8").catch(orAbsent))?.trim();
}
