import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import type pg from "pg";
import { onTestFinished } from "vitest";
import type { RestoreTarget } from "#server/platform/backup/restore";
import { writeBackup, type BackupSource } from "#server/platform/backup/write";
import { systemClock } from "#server/platform/clock";
import { SITE_ROLE } from "#server/platform/db/embedded/cluster/access-files";
import { readSecrets, storeSecrets } from "#server/platform/secrets";
import { openDiskStore } from "#server/platform/storage/disk/disk-store";
import type { ObjectStore } from "#server/platform/storage/object-store";
import type { TestApp } from "../app.ts";
import { pay } from "../payments.ts";
import { student, type Person } from "../people.ts";
import { scratchDatabase } from "./scratch-database.ts";
import { startShop } from "../shop.ts";

export const migrationsDir = resolve(import.meta.dirname, "../../../migrations");

/** A shop with an approved and a pending request, and what a backup of it is made from. */
export async function startBackupShop(): Promise<{ app: TestApp; operator: Person; source: BackupSource }> {
  const { app, operator } = await startShop();
  const { objects, config, db } = app.deps;
  await operator.call("POST", `/api/payment-requests/${(await pay(await student(app))).body.id}/approve`);
  await pay(await student(app));
  const connection = { ...db.$client.options, max: 1 };
  const source = { connection, objects, secrets: await readSecrets(config.files.dataDir), now: app.clock.now() };
  return { app, operator, source };
}

interface PassingPayments {
  /** Screenshots that are gone. */
  deleted: string[];
  ended: Promise<void>;
}

/** Payments come in until they are stopped, each of an account that goes at once; with its successor goes the payment itself, and its file. */
export function passingPayments(app: TestApp, operator: Person, stop: AbortSignal): PassingPayments {
  const { sql, deps } = app;
  const deleted: string[] = [];
  const ended = (async () => {
    for (let former: string | undefined; !stop.aborted;) {
      const buyer = await student(app);
      const { id } = (await pay(buyer)).body;
      await operator.call("DELETE", `/functions/v1/admin-users?userId=${buyer.id}`);
      const screenshot = "select screenshot_object_id as object from payment_requests where id = $1";
      const [paid] = await sql<{ object: string }>(screenshot, [id]);
      if (former !== undefined) {
        await sql("delete from payment_requests where screenshot_object_id = $1", [former]);
        await sql("delete from stored_objects where id = $1", [former]);
        await deps.objects.remove(former);
        deleted.push(former);
      }
      former = paid!.object;
    }
    // While a backup is written no file goes.
    for (const id of deleted) await deps.objects.remove(id);
  })();
  return { deleted, ended };
}

/** Returns a backup of what is there now. */
export async function backupOf(source: BackupSource): Promise<Buffer> {
  const sink = new PassThrough();
  const [bytes] = await Promise.all([buffer(sink), writeBackup(source, sink)]);
  return bytes;
}

export interface Place extends RestoreTarget {
  objects: ObjectStore;
  dataDir: string;
  client: pg.Client;
}

/** An empty database, whose owner is no superuser, as where it is managed, and an empty folder. */
export async function emptyPlace(kind: "empty" | "migrated" = "empty"): Promise<Place> {
  const database = await scratchDatabase(kind);
  const dataDir = await mkdtemp(join(tmpdir(), "pipwright-restored-"));
  onTestFinished(async () => {
    await database.drop();
    await rm(dataDir, { recursive: true });
  });
  const objects = await openDiskStore(dataDir, systemClock);
  const { client } = database;
  await client.query(`alter database ${client.database} owner to ${SITE_ROLE}; alter schema public owner to ${SITE_ROLE}`);
  const connection = { ...database.connection, ...(kind === "empty" && { user: SITE_ROLE }) };
  return { connection, client, dataDir, migrationsDir, objects, storeSecrets: (text) => storeSecrets(dataDir, text) };
}

/** SHA-256 of every stored file, by its name. */
export async function filesOf(dataDir: string): Promise<Record<string, string>> {
  const folder = join(dataDir, "objects");
  const files: Record<string, string> = {};
  for (const name of await readdir(folder))
    files[name] = createHash("sha256")
      .update(await readFile(join(folder, name)))
      .digest("hex");
  return files;
}
