import { randomInt } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { writeBackup } from "#server/platform/backup/write";
import { openDatabase, type Connection, type Database } from "#server/platform/db/database";
import { SITE_ROLE, SUPERUSER } from "#server/platform/db/embedded/cluster/access-files";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "#server/platform/db/embedded/supervisor";
import { lockKeys } from "#server/platform/db/locks";
import { migrate } from "#server/platform/db/migrate";
import { transaction } from "#server/platform/db/transaction";
import { listenForChanges } from "#server/platform/realtime/changes";
import { loadSecrets } from "#server/platform/secrets";
import { SharedLocks } from "#server/platform/storage/locks/shared-locks";
import { openToAccounts } from "../support/sites/open-to-accounts.ts";
import { soon } from "../support/soon.ts";

const migrations = join(import.meta.dirname, "../../migrations");
const keepAlive = { idle: "10", interval: "5", count: "3", unreceived: "25000" };

// Other systems have no more than one address of their own, and show no timers.
describe.runIf(process.platform === "linux")("PostgreSQL asks by itself whether a session's machine is there", () => {
  let folder: string;
  let postgres: EmbeddedPostgres;
  let connection: { host: string; port: number; user: string; database: string };
  let superuser: pg.Client;
  let opened: (() => unknown)[] = [];
  beforeAll(async () => {
    folder = await openToAccounts(await mkdtemp(join(tmpdir(), "pipwright-vanished-")));
    const hba = join(folder, "hba");
    await writeFile(hba, `local all all trust\nhost all ${SITE_ROLE} 127.0.0.0/8 trust\n`);
    // An address of its own, so that only this test's connections are there.
    const host = `127.${randomInt(1, 255)}.${randomInt(255)}.${randomInt(1, 255)}`;
    const settings = { fsync: "off", listen_addresses: host, hba_file: hba };
    postgres = await startEmbeddedPostgres({ dataDir: folder, say: () => {}, settings });
    const { port, user, database } = postgres.connection;
    connection = { host, port, user, database };
    superuser = new pg.Client({ ...postgres.connection, user: SUPERUSER });
    await superuser.connect();
    await migrate(connection, migrations);
  });
  afterEach(async () => {
    for (const close of opened.toReversed()) await close();
    opened = [];
    await expectAsked(0);
  });
  afterAll(async () => {
    await superuser?.end();
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  function opensDatabase(settings: pg.PoolConfig & { direct?: pg.ClientConfig } = connection): Database {
    const db = openDatabase(settings, () => {});
    opened.push(() => db.$client.end());
    return db;
  }

  /** Exactly so many sessions are open, and the server asks each within ten seconds. */
  const expectAsked = (sessions: number): Promise<void> =>
    soon(async () => expect(await timers(connection.host)).toEqual(Array.from({ length: sessions }, () => "asks soon")));

  // RUN-14
  it("of the pool's, in and outside of a transaction", async () => {
    const db = opensDatabase();
    expect(await keepAliveOf(db)).toEqual(keepAlive);
    expect(await transaction(db, keepAliveOf)).toEqual(keepAlive);
    await expectAsked(1);
  });

  // RUN-13
  it("of those past a pooler, whose own sessions are left as they were", async () => {
    const db = opensDatabase({ ...connection, direct: connection });
    const [inside, outside] = [await transaction(db, keepAliveOf), await keepAliveOf(db)];
    expect([inside, outside]).toEqual([outside, expect.objectContaining({ unreceived: "0" })]);
    expect(outside.idle).not.toBe(keepAlive.idle);
    await db.$client.end();
    opened = [];

    const direct = await opensDatabase({ ...connection, direct: connection }).$client.openSession();
    opened.push(() => direct.end());
    await expectAsked(1);
  });

  // RUN-14
  it("of the locks of uploads and of the change feed", async () => {
    const locks = new SharedLocks(opensDatabase().$client, { onWanted: () => {}, onLost: () => {} });
    opened.push(() => locks.close());
    await locks.tryLock("an upload");
    await expectAsked(1);
    const feed = await listenForChanges(connection, () => {});
    opened.push(() => feed.close());
    await expectAsked(2);
  });

  // RUN-14
  it("of a migration that waits for another", async () => {
    await superuser.query("select pg_advisory_lock($1)", [lockKeys.migration]);
    const migration = migrate(connection, migrations);
    opened.push(() => migration);
    await expectAsked(1);
    await superuser.query("select pg_advisory_unlock($1)", [lockKeys.migration]);
  });

  // BACKUP-1
  it("of a backup that waits for a slow store", async () => {
    await loadSecrets(folder, () => Promise.resolve(false));
    const secrets = await readFile(join(folder, "secrets.json"), "utf8");
    let go = (): void => {};
    const slow = new Writable({ write: (_bytes, _encoding, done) => void ([go] = [done]) });
    const objects = { open: () => Promise.resolve(undefined) };
    const backup = writeBackup({ connection, objects, secrets, now: new Date() }, slow);
    await expectAsked(2);
    slow._write = (_bytes, _encoding, done) => done();
    go();
    expect(await backup).toMatchObject({ files: 0, lost: [] });
  });
});

/** Of a connection's session, as PostgreSQL reads it from the socket. */
async function keepAliveOf(on: Connection): Promise<typeof keepAlive> {
  const { rows } = await on.execute<typeof keepAlive>(sql`
    select current_setting('tcp_keepalives_idle') as idle, current_setting('tcp_keepalives_interval') as interval,
      current_setting('tcp_keepalives_count') as count, current_setting('tcp_user_timeout') as unreceived`);
  return rows[0]!;
}

/** What the kernel says of each connection that was made to an address: its timer is that of the keep-alive, and when it rings. */
async function timers(address: string): Promise<string[]> {
  const number = Buffer.from(address.split(".").map(Number)).toReversed();
  const local = Buffer.from(number).toString("hex").toUpperCase();
  const rows = (await readFile("/proc/net/tcp", "utf8")).split("\n").map((row) => row.trim().split(/\s+/));
  return rows
    .filter(([, from = "", , state]) => from.startsWith(`${local}:`) && state === "01")
    .map(([, , , , , timer = ""]) => {
      const [kind, hundredths = ""] = timer.split(":");
      return kind === "02" && Number.parseInt(hundredths, 16) <= 1000 ? "asks soon" : timer;
    });
}
