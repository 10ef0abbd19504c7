import { createHash } from "node:crypto";
import { EventEmitter } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { TestApp } from "../../../../tests/support/app.ts";
import { pay } from "../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../tests/support/people.ts";
import { scratchDatabase } from "../../../../tests/support/scratch-database.ts";
import { startShop } from "../../../../tests/support/shop.ts";
import { systemClock } from "../clock.ts";
import { SITE_ROLE } from "../db/embedded/cluster/access-files.ts";
import { migrate, migrationsIn } from "../db/migrate.ts";
import { listenForChanges } from "../realtime/changes.ts";
import { readSecrets, storeSecrets } from "../secrets.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { openDiskStore } from "../storage/disk/disk-store.ts";
import { openBackupFile, writeBackupFile } from "./backup-file.ts";
import { restoreBackup, type RestoreTarget } from "./restore.ts";
import { tablesInOrder } from "./tables.ts";
import { writeBackup, type BackupSource } from "./write.ts";

const migrationsDir = resolve(import.meta.dirname, "../../../../migrations");

let app: TestApp;
let operator: Person;
let source: BackupSource;
let backup: Buffer;

beforeAll(async () => {
  ({ app, operator } = await startShop());
  const { objects, config, db } = app.deps;
  const connection = { ...db.$client.options, max: 1 };
  source = { connection, objects, secrets: await readSecrets(config.files.dataDir), now: app.clock.now() };
  const buyer = await student(app);
  await operator.call("POST", `/api/payment-requests/${(await pay(buyer)).body.id}/approve`);
  await pay(await student(app));
  backup = await written();
});
afterAll(() => app?.close());

/** A backup of the app as it is. */
async function written(): Promise<Buffer> {
  const sink = new PassThrough();
  const [bytes] = await Promise.all([buffer(sink), writeBackup(source, sink)]);
  return bytes;
}

interface Place extends RestoreTarget {
  objects: ObjectStore;
  dataDir: string;
  client: pg.Client;
}

/** An empty database, whose owner is no superuser, as where it is managed, and an empty folder. */
async function emptyPlace(kind: "empty" | "migrated" = "empty"): Promise<Place> {
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

type Rows = Record<string, string[]>;

/** Every row of every table, as text. */
async function rowsOf(client: pg.ClientBase): Promise<Rows> {
  const rows: Rows = {};
  for (const { name } of await tablesInOrder(client)) {
    const found = await client.query<{ row: string }>(`select t::text as row from ${pg.escapeIdentifier(name)} t order by 1`);
    rows[name] = found.rows.map(({ row }) => row);
  }
  return rows;
}

async function rowsOfApp(): Promise<Rows> {
  const client = await app.deps.db.$client.connect();
  try {
    return await rowsOf(client);
  } finally {
    client.release();
  }
}

/** SHA-256 of every stored file, by its name. */
async function filesOf(dataDir: string): Promise<Record<string, string>> {
  const folder = join(dataDir, "objects");
  const files: Record<string, string> = {};
  for (const name of await readdir(folder))
    files[name] = createHash("sha256")
      .update(await readFile(join(folder, name)))
      .digest("hex");
  return files;
}

async function expectUnused({ client, dataDir }: Place): Promise<void> {
  const { rows } = await client.query<{ found: string | null }>("select to_regclass('accounts')::text as found");
  if (rows[0]?.found != null) expect((await client.query("select 1 from accounts")).rowCount).toBe(0);
  expect(await readdir(dataDir)).toEqual(["objects"]);
  expect(await readdir(join(dataDir, "objects"))).toEqual([]);
}

// BACKUP-1, BACKUP-2.
describe("a backup", { timeout: 120_000 }, () => {
  it("is restored with every row, file and secret", async () => {
    const place = await emptyPlace();
    await restoreBackup(place, Readable.from([backup]));
    expect(await rowsOf(place.client)).toEqual(await rowsOfApp());
    expect(await filesOf(place.dataDir)).toEqual(await filesOf(app.deps.config.files.dataDir));
    expect(await readSecrets(place.dataDir)).toBe(source.secrets);
  });

  it("has new rows numbered after the restored ones", async () => {
    const place = await emptyPlace();
    await restoreBackup(place, Readable.from([backup]));
    const { rows } = await place.client.query<{ id: string; highest: string }>(
      "select nextval(pg_get_serial_sequence('audit_log', 'id')) as id, (select max(id) from audit_log) as highest",
    );
    expect(Number(rows[0]!.id)).toBeGreaterThan(Number(rows[0]!.highest));
  });

  it("has the product's triggers on again after it is restored", async () => {
    const place = await emptyPlace();
    await restoreBackup(place, Readable.from([backup]));
    const off = "select tgname from pg_trigger where not tgisinternal and tgenabled <> 'O'";
    expect((await place.client.query(off)).rows).toEqual([]);
    await expect(place.client.query("delete from audit_log")).rejects.toThrow("append-only");
  });

  it("names only files that it has while payments come in and are deleted", async () => {
    const traffic = new AbortController();
    const paying = (async () => {
      for (let count = 0; !traffic.signal.aborted && count < 50; count++) {
        const buyer = await student(app);
        await pay(buyer);
        await operator.call("DELETE", `/functions/v1/admin-users?userId=${buyer.id}`);
      }
    })();
    const bytes = await written();
    traffic.abort();
    await paying;
    const place = await emptyPlace();
    await restoreBackup(place, Readable.from([bytes]));
    const { rows } = await place.client.query<{ id: string }>("select id from stored_objects order by id");
    expect(Object.keys(await filesOf(place.dataDir)).toSorted()).toEqual(rows.map(({ id }) => id));
  });

  it("has a file that is removed while it is written, and lets a later removal through", async () => {
    const buyer = await student(app);
    await pay(buyer);
    const [object] = await app.sql<{ id: string }>("select id from stored_objects order by created_at desc limit 1");
    const { id } = object!;
    const chunks: Buffer[] = [];
    const goesOn = new EventEmitter();
    let isRemoved = false;
    const sink = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        goesOn.once("on", done);
        if (isRemoved) goesOn.emit("on");
      },
    });
    const writing = writeBackup(source, sink);
    // The first bytes come after the snapshot.
    await expect.poll(() => chunks.length, { timeout: 60_000 }).toBeGreaterThan(0);
    await app.deps.objects.remove(id);
    isRemoved = true;
    goesOn.emit("on");
    await writing;
    const place = await emptyPlace();
    await restoreBackup(place, Readable.from([Buffer.concat(chunks)]));
    expect(Object.keys(await filesOf(place.dataDir))).toContain(id);
    await app.deps.objects.remove(id);
    expect(Object.keys(await filesOf(app.deps.config.files.dataDir))).not.toContain(id);
    await app.sql("delete from payment_requests where screenshot_object_id = $1", [id]);
    await app.sql("delete from stored_objects where id = $1", [id]);
  });

  it("is not restored when a byte of it is another, wherever that stands", async () => {
    const place = await emptyPlace();
    for (let part = 0; part < 12; part++) {
      const wrong = Buffer.from(backup);
      // Zeros may be the padding between entries, which is no part of the backup.
      const at = wrong.findIndex((byte, index) => byte !== 0 && index >= (wrong.length * part) / 12);
      wrong[at] = wrong[at]! ^ 1;
      await expect(restoreBackup(place, Readable.from([wrong])), `byte ${at}`).rejects.toThrow(Error);
      await expectUnused(place);
    }
  });

  it("is not restored when it was cut off, wherever that was", async () => {
    const place = await emptyPlace();
    for (const length of [0, 100, 512, 5000, backup.length >> 1, backup.length - 1024 - 512, backup.length - 1024 - 1000]) {
      const cut = restoreBackup(place, Readable.from([backup.subarray(0, length)]));
      await expect(cut, `${length} bytes`).rejects.toThrow(/damaged or was cut off/);
      await expectUnused(place);
    }
  });

  it("is refused where something is stored already", async () => {
    const used = await emptyPlace("migrated");
    await used.client.query("insert into accounts (email, password_hash, created_at) values ('nok@example.com', '', now())");
    await expect(restoreBackup(used, Readable.from([backup]))).rejects.toThrow("it has accounts");

    const files = await emptyPlace();
    await writeFile(join(files.dataDir, "objects", crypto.randomUUID()), "a film");
    await expect(restoreBackup(files, Readable.from([backup]))).rejects.toThrow("stored files already");

    const running = await emptyPlace("migrated");
    const site = await listenForChanges(running.connection, () => {});
    await expect(restoreBackup(running, Readable.from([backup]))).rejects.toThrow("A site is running");
    await site.close();
  });

  it("of a newer program is refused by an older one, by the name of what it lacks", async () => {
    const place = await emptyPlace();
    const older = await mkdtemp(join(tmpdir(), "pipwright-older-"));
    onTestFinished(() => rm(older, { recursive: true }));
    const migrations = await migrationsIn(migrationsDir);
    for (const { name, sql } of migrations.slice(0, -1)) await writeFile(join(older, name), sql);
    await expect(restoreBackup({ ...place, migrationsDir: older }, Readable.from([backup]))).rejects.toThrow(
      `lacks migration ${migrations.at(-1)!.name}`,
    );
    await expectUnused(place);
  });

  it("of an older program is restored and brought up to date", async () => {
    const old = await emptyPlace();
    const names = (await migrationsIn(migrationsDir)).map(({ name }) => name);
    await migrate(old.connection, migrationsDir, new Set(names.slice(0, 10)));
    await old.client.query("insert into accounts (email, password_hash, created_at) values ('nok@example.com', '', now())");
    const sink = new PassThrough();
    const [bytes] = await Promise.all([
      buffer(sink),
      writeBackup({ ...source, connection: old.connection, objects: old.objects }, sink),
    ]);
    const place = await emptyPlace();
    await restoreBackup(place, Readable.from([bytes]));
    expect((await place.client.query("select email from accounts")).rows).toEqual([{ email: "nok@example.com" }]);
    expect(await migrate(place.connection, migrationsDir)).toEqual([]);
  });

  it("is not written beside another, nor over a file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "pipwright-backups-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, "monday.tar");
    await writeBackupFile(source, path);
    await expect(writeBackupFile(source, path)).rejects.toThrow("exists already");
    expect(await readdir(folder)).toEqual(["monday.tar"]);
    await expect(openBackupFile(join(folder, "sunday.tar"))).rejects.toThrow("There is no file");

    const other = new pg.Client(source.connection);
    await other.connect();
    await other.query("begin; select pg_advisory_xact_lock(4972009)");
    await expect(writeBackupFile(source, join(folder, "tuesday.tar"))).rejects.toThrow("Another backup");
    await other.end();
    expect(await readdir(folder)).toEqual(["monday.tar"]);
  });

  it("leaves no file behind when the disk is full", async () => {
    let taken = 0;
    const full = new Writable({
      write(chunk: Buffer, _encoding, done) {
        taken += chunk.length;
        done(taken > 3000 ? Object.assign(new Error("no space left"), { code: "ENOSPC" }) : null);
      },
    });
    await expect(writeBackup(source, full)).rejects.toThrow("no space left");
    // The hold on removals has ended.
    await written();
  });
});
