// Over 250 lines: each way in which a backup is not written or not restored.
import { once } from "node:events";
import { mkdtemp, open, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ProductError } from "#domain/errors/messages";
import type { TestApp } from "../../../../tests/support/app.ts";
import {
  backupOf,
  emptyPlace,
  migrationsDir,
  startBackupShop,
  type Place,
} from "../../../../tests/support/database/backups.ts";
import { lockKeys } from "../db/locks.ts";
import { migrate, migrationsIn } from "../db/migrate.ts";
import { listenForChanges } from "../realtime/changes.ts";
import { fingerprintOfSecrets } from "../secrets.ts";
import { DiskFile } from "./disk-file.ts";
import { isBackupRunning } from "./is-running.ts";
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

async function expectUnused({ client, dataDir }: Place): Promise<void> {
  const { rows } = await client.query<{ found: string | null }>("select to_regclass('accounts')::text as found");
  if (rows[0]?.found != null) expect((await client.query("select 1 from accounts")).rowCount).toBe(0);
  expect(await readdir(dataDir)).toEqual(["objects"]);
  expect(await readdir(join(dataDir, "objects"))).toEqual([]);
}

// BACKUP-1, BACKUP-2.
describe("a backup", () => {
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

  it("is not called damaged when its store goes away, wherever that is", async () => {
    const place = await emptyPlace();
    for (const length of [0, 5000, backup.length >> 1, backup.length - 1024 - 100]) {
      const away = async function* () {
        yield backup.subarray(0, length);
        throw new ProductError("unavailable");
      };
      const restored = restoreBackup(place, Readable.from(away()));
      await expect(restored, `after ${length} bytes`).rejects.toMatchObject({ code: "unavailable" });
      await expectUnused(place);
    }
  });

  it.each(["kept", "lost"])("leaves no files where its restoration is stopped, its connection being %s", async (connection) => {
    const place = await emptyPlace();
    const stopping = new AbortController();
    const slow = new PassThrough();
    slow.write(backup.subarray(0, backup.length - 2000));
    const restored = restoreBackup({ ...place, stopped: stopping.signal }, slow);
    await expect.poll(() => readdir(join(place.dataDir, "objects"))).not.toEqual([]);
    if (connection === "lost")
      await place.client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
    stopping.abort(new Error("Stopped by SIGINT"));
    slow.end();
    await expect(restored).rejects.toThrow("Stopped by SIGINT");
    await expectUnused(place);
    const again = restoreBackup({ ...place, stopped: stopping.signal }, Readable.from([backup]));
    await expect(again).rejects.toThrow("Stopped by SIGINT");
    await expectUnused(place);
  });

  it("is refused where something is stored already", async () => {
    const used = await emptyPlace("migrated");
    await used.client.query("insert into accounts (email, password_hash, created_at) values ('nok@example.com', '', now())");
    await expect(restoreBackup(used, Readable.from([backup]))).rejects.toThrow("it has accounts");

    const foreign = await emptyPlace();
    await foreign.client.query("create table orders (id int); insert into orders values (1)");
    await expect(restoreBackup(foreign, Readable.from([backup]))).rejects.toThrow("tables of something else: orders");
    expect((await foreign.client.query("select 1 from orders")).rowCount).toBe(1);
    await expectUnused(foreign);

    const files = await emptyPlace();
    await writeFile(join(files.dataDir, "objects", crypto.randomUUID()), "a film");
    await expect(restoreBackup(files, Readable.from([backup]))).rejects.toThrow("stored files already");

    const running = await emptyPlace("migrated");
    const site = await listenForChanges(running.connection, () => {});
    await expect(restoreBackup(running, Readable.from([backup]))).rejects.toThrow("A site is running");
    await site.close();
  });

  it("brings no database in use up to date before it is refused", async () => {
    const place = await emptyPlace();
    const older = await mkdtemp(join(tmpdir(), "pipwright-older-"));
    onTestFinished(() => rm(older, { recursive: true }));
    for (const { name, sql } of (await migrationsIn(migrationsDir)).slice(0, -1)) await writeFile(join(older, name), sql);
    await migrate(place.connection, older);
    await place.client.query("insert into accounts (email, password_hash, created_at) values ('nok@example.com', '', now())");
    await expect(restoreBackup(place, Readable.from([backup]))).rejects.toThrow("it has accounts");
    const { rows } = await place.client.query("select count(*)::int as count from schema_migrations");
    expect(rows).toEqual([{ count: (await migrationsIn(older)).length }]);
  });

  it("is not written with secrets that the database is not used with", async () => {
    await app.sql("insert into secrets_fingerprint (fingerprint) values ('\\x00112233445566778899aabbccddeeff')");
    onTestFinished(async () => void (await app.sql("delete from secrets_fingerprint")));
    const sink = new Writable({ write: (_piece, _encoding, done) => done() });
    await expect(writeBackup(source, sink)).rejects.toThrow("is not the one that the database is used with");
    await app.sql("update secrets_fingerprint set fingerprint = $1", [await fingerprintOfSecrets(source.secrets)]);
    expect((await backupOf(source)).length).toBeGreaterThan(1000);
  });

  it.each([
    ["a table", "create table orders (id int)", "drop table orders", "orders"],
    ["a column", "alter table profiles add column note text", "alter table profiles drop column note", "profiles (note)"],
  ])("is not written with %s that a restoration would refuse", async (_what, add, remove, named) => {
    await app.sql(add);
    onTestFinished(async () => void (await app.sql(remove)));
    const sink = new Writable({ write: (_piece, _encoding, done) => done() });
    await expect(writeBackup(source, sink)).rejects.toThrow(`would refuse: ${named}. Move what is yours`);
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

  it("is not written beside another, nor over a file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "pipwright-backups-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, "monday.tar");
    await new DiskFile(path).write(source);
    await expect(new DiskFile(path).write(source)).rejects.toThrow("exists already");
    expect(await readdir(folder)).toEqual(["monday.tar"]);
    await expect(new DiskFile(join(folder, "sunday.tar")).open()).rejects.toThrow("There is no file");

    const other = new pg.Client(source.connection);
    await other.connect();
    await other.query(`begin; select pg_advisory_xact_lock(${lockKeys.backup})`);
    await expect(new DiskFile(join(folder, "tuesday.tar")).write(source)).rejects.toThrow("Another backup");
    await other.end();
    expect(await readdir(folder)).toEqual(["monday.tar"]);
  });

  it("holds others off until it is read back", async () => {
    const sink = new Writable({ write: (_piece, _encoding, done) => done() });
    const { db } = app.deps;
    let isHeld: boolean | undefined;
    await writeBackup(source, sink, async () => void (isHeld = await isBackupRunning(db)));
    expect([isHeld, await isBackupRunning(db)]).toEqual([true, false]);
  });

  it.each(["EPERM", "ENOTSUP", "ENOSYS"])("is written where a file system has no links (%s)", async (code) => {
    const folder = await mkdtemp(join(tmpdir(), "pipwright-backup-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, "monday.tar");
    const failing = async (): Promise<void> => {
      throw Object.assign(new Error(code), { code });
    };
    const file = new DiskFile(path, undefined, failing);
    await file.write(source);
    expect([await readdir(folder), (await stat(path)).mode & 0o777]).toEqual([["monday.tar"], 0o600]);
    await restoreBackup(await emptyPlace(), await file.open());

    const taken = join(folder, "tuesday.tar");
    const late = (): Promise<void> => writeFile(taken, "another").then(failing);
    await expect(new DiskFile(taken, undefined, late).write(source)).rejects.toThrow("EEXIST");
    expect([await readdir(folder), await readFile(taken, "utf8")]).toEqual([["monday.tar", "tuesday.tar"], "another"]);
    await writeFile(taken, "");
    expect(await file.size()).toBeGreaterThan(0);
    expect(await new DiskFile(taken).size()).toBeUndefined();
  });

  it("is refused at once where it cannot be opened", async () => {
    const path = join(await mkdtemp(join(tmpdir(), "pipwright-backup-")), "monday.tar");
    const server = createServer().listen(path);
    await once(server, "listening");
    onTestFinished(() => void server.close());
    await expect(new DiskFile(path).open()).rejects.toThrow("ENXIO");
  });

  it("is not called missing where it cannot be looked for", async () => {
    const folder = await mkdtemp(join(tmpdir(), "pipwright-backup-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, "monday.tar");
    await symlink(path, path);
    await expect(new DiskFile(path).open()).rejects.toMatchObject({ code: "ELOOP", path });
    await expect(new DiskFile(join(path, "tuesday.tar")).write(source)).rejects.toMatchObject({ code: "ELOOP", path });
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
    await backupOf(source);
  });

  it("ends before the disk is full: at its begin, while it is written, and at its end", async () => {
    const folder = await mkdtemp(join(tmpdir(), "pipwright-backups-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, "monday.tar");
    const plenty = { free: 1e11, total: 1e12 };
    // The reserve is at most 1 GB.
    const full = { ...plenty, free: 1024 ** 3 - 1 };
    await expect(new DiskFile(path, () => Promise.resolve(full)).write(source)).rejects.toThrow("No room for a backup");
    const until = (bytes: number) => async () => {
      const draft = await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))));
      return (draft[0]?.size ?? 0) < bytes ? plenty : full;
    };
    const film = { size: 128 * 1024 ** 2, read: 0 };
    const objects: BackupSource["objects"] = {
      open: async () => ({
        size: film.size,
        head: () => Promise.resolve(Buffer.alloc(0)),
        close: () => Promise.resolve(),
        async *pieces(first, last) {
          film.read += last - first + 1;
          yield Buffer.alloc(last - first + 1);
        },
      }),
    };
    const long = new DiskFile(path, until(16 * 1024 ** 2)).write({ ...source, objects });
    await expect(long).rejects.toThrow("No room for a backup");
    expect(film.read).toBeLessThan(48 * 1024 ** 2);
    // Written between two looks.
    await expect(new DiskFile(path, until(1000)).write(source)).rejects.toThrow("No room for a backup");
    expect(await readdir(folder)).toEqual([]);
  });

  it("has no name when it is not read back as it was written", async () => {
    const folder = await mkdtemp(join(tmpdir(), "pipwright-backups-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const broken = async (id: string) => {
      const [draft] = await readdir(folder);
      await expect.poll(async () => (await stat(join(folder, draft!))).size).toBeGreaterThan(600);
      const file = await open(join(folder, draft!), "r+");
      await file.write("x", 600);
      await file.close();
      return source.objects.open(id);
    };
    const writing = new DiskFile(join(folder, "monday.tar")).write({ ...source, objects: { open: broken } });
    await expect(writing).rejects.toThrow("damaged");
    expect(await readdir(folder)).toEqual([]);
  });
});
