import { PassThrough, Readable } from "node:stream";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestApp } from "../../../../tests/support/app.ts";
import { backupOf, emptyPlace, startBackupShop, type Place } from "../../../../tests/support/database/backups.ts";
import { readArchive } from "./archive.ts";
import { restoreBackup } from "./restore.ts";
import { writeBackup, type BackupSource } from "./write.ts";

let app: TestApp;
let source: BackupSource;
let backup: Buffer;

beforeAll(async () => {
  ({ app, source } = await startBackupShop());
  backup = await backupOf(source);
});
afterAll(() => app?.close());

/** Sets the search path of all that connect later, as a schema with the name of the role is first in it. */
const setSearchPath = ({ client }: Place, path: string) =>
  client.query(`alter database ${client.database} set search_path = ${path}`);

/** Returns the names of the entries that hold rows. */
async function rowsIn(bytes: Buffer): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of readArchive(Readable.from([bytes]))) {
    if (entry.name.startsWith("tables/")) names.push(entry.name);
    for await (const _piece of entry.bytes);
  }
  return names;
}

// BACKUP-1, BACKUP-2.
it.each(["Course", "our course"])("a site in a schema named %s is backed up and restored", async (name) => {
  const place = await emptyPlace();
  const owner = place.connection.user;
  for (const schema of [name, "course"]) await place.client.query(`create schema "${schema}" authorization ${owner}`);
  await setSearchPath(place, `"${name}"`);
  await restoreBackup(place, Readable.from([backup]));
  const again = await backupOf({ ...source, connection: place.connection, objects: place.objects });
  expect(await rowsIn(again)).toEqual(await rowsIn(backup));
});

// BACKUP-1
it("a site is backed up whole after a schema was put before its own", async () => {
  const place = await emptyPlace();
  await restoreBackup(place, Readable.from([backup]));
  await place.client.query(`create schema ahead authorization ${place.connection.user}`);
  await setSearchPath(place, "ahead, public");
  const again = await backupOf({ ...source, connection: place.connection, objects: place.objects });
  expect(await rowsIn(again)).toEqual(await rowsIn(backup));
});

// BACKUP-1
it("no backup is written of a database without a site", async () => {
  const { connection } = await emptyPlace();
  const written = writeBackup({ ...source, connection }, new PassThrough());
  await expect(written).rejects.toThrow(/^There is no site to back up/);
});
