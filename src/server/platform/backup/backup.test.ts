import { EventEmitter } from "node:events";
import { PassThrough, Readable, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { TestApp } from "../../../../tests/support/app.ts";
import {
  backupOf,
  emptyPlace,
  filesOf,
  migrationsDir,
  passingPayments,
  startBackupShop,
} from "../../../../tests/support/database/backups.ts";
import { pay } from "../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../tests/support/people.ts";
import { storeWith, storeWithBadSector } from "../../../../tests/support/store-with.ts";
import { migrate, migrationsIn } from "../db/migrate.ts";
import { readSecrets } from "../secrets.ts";
import { collect, piecesOf } from "../storage/object-bytes.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { restoreBackup } from "./restore.ts";
import { tablesInOrder } from "./tables.ts";
import { writeBackup, type BackupSource } from "./write.ts";

let app: TestApp;
let operator: Person;
let source: BackupSource;
let backup: Buffer;

beforeAll(async () => {
  ({ app, operator, source } = await startBackupShop());
  // A mail that is on its way would have another row afterwards.
  const waiting = "select 1 from mail_outbox where next_attempt_at is not null";
  await vi.waitUntil(async () => (await app.sql(waiting)).length === 0, { timeout: 90_000 });
  backup = await backupOf(source);
});
afterAll(() => app?.close());

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

// BACKUP-1, BACKUP-2, BACKUP-3.
describe("a backup", () => {
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

  // BACKUP-5
  it("is restored without the list of what its site has backed up", async () => {
    await app.sql("insert into backup_runs (path, started_at, ended_at, size) values ('/b.tar', now(), now(), 1)");
    const place = await emptyPlace();
    await restoreBackup(place, Readable.from([await backupOf(source)]));
    await app.sql("delete from backup_runs");
    expect((await place.client.query("select 1 from backup_runs")).rows).toEqual([]);
  });

  it("has the product's triggers on again after it is restored", async () => {
    const place = await emptyPlace();
    await restoreBackup(place, Readable.from([backup]));
    const off = "select tgname from pg_trigger where not tgisinternal and tgenabled <> 'O'";
    expect((await place.client.query(off)).rows).toEqual([]);
    await expect(place.client.query("delete from audit_log")).rejects.toThrow("append-only");
  });

  it("names only files that it has while payments come in and are deleted", async () => {
    const stop = new AbortController();
    const { deleted, ended } = passingPayments(app, operator, stop.signal);
    await expect.poll(() => deleted.length).toBeGreaterThan(0);
    // The rows are written by then, and the files are not.
    const open: ObjectStore["open"] = async (id) => {
      const before = deleted.length;
      await expect.poll(() => deleted.length).toBeGreaterThan(before + 1);
      return app.deps.objects.open(id);
    };
    const bytes = await backupOf({ ...source, objects: { open } }).finally(() => stop.abort());
    await ended;
    const place = await emptyPlace();
    await restoreBackup(place, Readable.from([bytes]));
    const { rows } = await place.client.query<{ id: string }>("select id from stored_objects order by id");
    expect(Object.keys(await filesOf(place.dataDir)).toSorted()).toEqual(rows.map(({ id }) => id));
    expect(rows.map(({ id }) => id).filter((id) => deleted.includes(id))).not.toEqual([]);
  });

  it("has a file that is removed while it is written", async () => {
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
    await expect.poll(() => chunks.length).toBeGreaterThan(0);
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

  it("names a file that is shorter than its row says, and has what is left of it", async () => {
    const [object] = await app.sql<{ id: string; size: string }>("select id, size from stored_objects limit 1");
    const { id, size } = object!;
    const open: ObjectStore["open"] = async (name) => {
      const bytes = await app.deps.objects.open(name);
      return bytes && name === id ? { ...bytes, size: bytes.size - 1 } : bytes;
    };
    const sink = new PassThrough();
    const [bytes, { lost }] = await Promise.all([buffer(sink), writeBackup({ ...source, objects: { open } }, sink)]);
    expect(lost).toEqual([id]);
    const place = await emptyPlace();
    await restoreBackup(place, Readable.from([bytes]));
    expect(await place.objects.size(id)).toBe(Number(size) - 1);
  });

  it("names a file that the disk cannot read everywhere, and has the rest of it", async () => {
    const { objects } = app.deps;
    const range = 8 * 1024 * 1024;
    const film = Buffer.alloc(2 * range + 1000, "a film, ");
    const id = crypto.randomUUID();
    await objects.put(id, film);
    await app.sql(
      `insert into stored_objects (id, bucket, name, filename, content_type, size, created_at)
        values ($1, 'course-videos', 'b.mp4', 'b.mp4', 'video/mp4', $2, now())`,
      [id, film.length],
    );
    onTestFinished(async () => {
      await app.sql("delete from stored_objects where id = $1", [id]);
      await objects.remove(id);
    });
    const sink = new PassThrough();
    const broken = { ...source, objects: storeWithBadSector(objects, id, range + 1000) };
    const [bytes, { lost }] = await Promise.all([buffer(sink), writeBackup(broken, sink)]);
    expect(lost).toEqual([id]);
    const place = await emptyPlace();
    await restoreBackup(place, Readable.from([bytes]));
    const restored = await collect(piecesOf(place.objects, id, { start: 0, end: film.length }));
    expect(restored.equals(Buffer.from(film).fill(0, range, 2 * range))).toBe(true);
  });

  // BACKUP-1
  it("fails at a file that its account may not read, which is not lost", async () => {
    const refused = Object.assign(new Error("permission denied"), { code: "EACCES", path: "/data/objects/film" });
    const closed = { ...source, objects: storeWith(app.deps.objects, { open: () => Promise.reject(refused) }) };
    await expect(writeBackup(closed, new PassThrough().resume())).rejects.toBe(refused);
  });

  it("reads each part of a file whole before it is written, and again when that fails", async () => {
    let [reading, failures] = [0, 2];
    const open: ObjectStore["open"] = async (id) => {
      const bytes = await app.deps.objects.open(id);
      return (
        bytes && {
          ...bytes,
          async *pieces(start, end) {
            reading += 1;
            yield* bytes.pieces(start, end);
            if (failures > 0) throw new Error(`The line is lost for the ${(failures -= 1)}. time from the last.`);
            reading = 0;
          },
        }
      );
    };
    const chunks: Buffer[] = [];
    const sink = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, done) {
        expect(reading).toBe(0);
        chunks.push(chunk);
        done();
      },
    });
    await writeBackup({ ...source, objects: { open } }, sink);
    const place = await emptyPlace();
    await restoreBackup(place, Readable.from([Buffer.concat(chunks)]));
    expect([failures, await filesOf(place.dataDir)]).toEqual([0, await filesOf(app.deps.config.files.dataDir)]);
    [reading, failures] = [0, 3];
    await expect(writeBackup({ ...source, objects: { open } }, new PassThrough().resume())).rejects.toThrow("0. time from");
  });

  it("is not restored into a store that makes an object without all the bytes", async () => {
    const place = await emptyPlace();
    const complete: ObjectStore["complete"] = async (id) => ({ ...(await place.objects.complete(id))!, size: 1 });
    const target = { ...place, objects: storeWith(place.objects, { complete }) };
    await expect(restoreBackup(target, Readable.from([backup]))).rejects.toThrow("could not be stored");
    expect(await filesOf(place.dataDir)).toEqual({});
  });

  it("of an older program is restored and brought up to date", async () => {
    const old = await emptyPlace();
    const names = (await migrationsIn(migrationsDir)).map(({ name }) => name);
    await migrate(old.connection, migrationsDir, new Set(names.slice(0, 10)));
    await old.client.query("insert into accounts (email, password_hash, created_at) values ('nok@example.com', '', now())");
    const bytes = await backupOf({ ...source, connection: old.connection, objects: old.objects });
    const place = await emptyPlace();
    await restoreBackup(place, Readable.from([bytes]));
    expect((await place.client.query("select email from accounts")).rows).toEqual([{ email: "nok@example.com" }]);
    expect(await migrate(place.connection, migrationsDir)).toEqual([]);
  });
});
