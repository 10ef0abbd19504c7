import { appendFile, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SITE_ROLE } from "#server/platform/db/embedded/cluster/access-files";
import { migrate } from "#server/platform/db/migrate";
import { soon } from "../support/soon.ts";
import { scratchDatabase, type ScratchDatabase } from "../support/database/scratch-database.ts";

const all = [
  "0001-accounts.sql",
  "0002-audit-and-mail.sql",
  "0003-files-and-videos.sql",
  "0004-payments.sql",
  "0005-changes.sql",
];
let database: ScratchDatabase;
let folder: string;

beforeEach(async () => {
  database = await scratchDatabase("empty");
  folder = await mkdtemp(join(tmpdir(), "pipwright-migrations-"));
  await cp(resolve(import.meta.dirname, "../../migrations"), folder, { recursive: true });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const applied = async (): Promise<string[]> => {
  const { rows } = await database.client.query<{ name: string }>("select name from schema_migrations order by name");
  return rows.map((row) => row.name);
};

it("applies every file once, in order, and says which", async () => {
  const first = await migrate(database.connection, folder);
  expect(first).toEqual(expect.arrayContaining(all));
  expect(first).toEqual(first.toSorted());
  expect(await migrate(database.connection, folder)).toEqual([]);
  expect(await applied()).toEqual(first);
});

it("is safe when eight processes start at once on an empty database", async () => {
  const fresh = await Promise.all(Array.from({ length: 8 }, () => migrate(database.connection, folder)));
  expect(fresh.flat().toSorted()).toEqual(await applied());
  const { rows } = await database.client.query("select code from coupon_codes");
  expect(rows).toEqual([{ code: "LUNCH" }]);
});

it("applies only what is new", async () => {
  await migrate(database.connection, folder);
  await writeFile(join(folder, "9999-later.sql"), "create table later (id integer)");
  expect(await migrate(database.connection, folder)).toEqual(["9999-later.sql"]);
});

it("refuses a database that a newer program has migrated, and changes nothing", async () => {
  await writeFile(join(folder, "9999-later.sql"), "create table later (id integer)");
  const first = await migrate(database.connection, folder);
  await rm(join(folder, "9999-later.sql"));
  await writeFile(join(folder, "9998-other.sql"), "create table other (id integer)");
  await expect(migrate(database.connection, folder)).rejects.toThrow(
    "The database is newer than this program, which lacks migration 9999-later.sql.",
  );
  expect(await applied()).toEqual(first);
});

it("is not cut by the time limits of its role", async () => {
  const name = database.connection.database!;
  await database.client.query(`alter database "${name}" set statement_timeout = 300`);
  await rm(folder, { recursive: true });
  await mkdir(folder);
  await writeFile(join(folder, "0001-slow.sql"), "select pg_sleep(1)");
  expect(await migrate(database.connection, folder)).toEqual(["0001-slow.sql"]);
});

it("refuses a migration that changed after it was applied, and the later ones", async () => {
  await migrate(database.connection, folder);
  await appendFile(join(folder, "0002-audit-and-mail.sql"), "\n-- an afterthought\n");
  await writeFile(join(folder, "9999-later.sql"), "create table later (id integer)");
  await expect(migrate(database.connection, folder)).rejects.toThrow(
    "Migration 0002-audit-and-mail.sql has changed since it was applied. Migrations only go forward.",
  );
  expect(await applied()).not.toContain("9999-later.sql");
});

it("rolls back a failing migration, names it, and continues once it is fixed", async () => {
  await migrate(database.connection, folder);
  await writeFile(join(folder, "9999-later.sql"), "create table half (id integer); select nonsense");
  await expect(migrate(database.connection, folder)).rejects.toThrow(/^Migration 9999-later\.sql failed: .*nonsense/);
  const { rows } = await database.client.query("select to_regclass('half') as half");
  expect(rows).toEqual([{ half: null }]);
  await writeFile(join(folder, "9999-later.sql"), "create table half (id integer)");
  expect(await migrate(database.connection, folder)).toEqual(["9999-later.sql"]);
});

it("tries a migration again that traffic deadlocked with", async () => {
  const { client, connection } = database;
  await client.query("create table first (id integer); create table second (id integer)");
  await rm(folder, { recursive: true });
  await mkdir(folder);
  await writeFile(join(folder, "0001-both.sql"), "lock table first; select pg_advisory_xact_lock(1); lock table second");
  const traffic = new pg.Client(connection);
  await traffic.connect();
  const waiting = async (count: number): Promise<void> => {
    const { rows } = await client.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(rows).toHaveLength(count);
  };
  try {
    // Whoever waits last looks for a deadlock, and the traffic never does.
    await traffic.query("begin; set local deadlock_timeout = '1h'; lock table second");
    await client.query("select pg_advisory_lock(1)");
    const migrated = migrate(connection, folder);
    await soon(() => waiting(1));
    const locked = traffic.query("lock table first");
    await soon(() => waiting(2));
    await client.query("select pg_advisory_unlock(1)");
    await locked;
    await traffic.query("commit");
    expect(await migrated).toEqual(["0001-both.sql"]);
  } finally {
    await traffic.end();
  }
});

/** Puts a schema before `public`, as one that has the name of the role is. */
const putAhead = async (): Promise<void> => {
  const { client } = database;
  await client.query(`create schema "Ahead"; grant all on schema "Ahead" to public`);
  await client.query(`alter database ${client.database} set search_path = "Ahead", public`);
};

// RUN-4
it("refuses to make a new site where the search path has one later", async () => {
  await migrate(database.connection, folder);
  await putAhead();
  const line = /^The site is in the schema public, and the search path has "Ahead" before it.* set search_path = public$/;
  await expect(migrate(database.connection, folder)).rejects.toThrow(line);
  const { rows } = await database.client.query("select 1 from pg_class where relnamespace = '\"Ahead\"'::regnamespace");
  expect(rows).toEqual([]);
});

it.each([
  ["of another program", "create table public.schema_migrations (version text)", {}],
  ["that its role may not read", "create table public.schema_migrations (name text, sha256 text)", { user: SITE_ROLE }],
])("makes a site before a table schema_migrations %s", async (_whose, made, account) => {
  await database.client.query(made);
  await database.client.query(`grant create on database ${database.client.database} to ${SITE_ROLE}`);
  await putAhead();
  expect(await migrate({ ...database.connection, ...account }, folder)).toEqual(expect.arrayContaining(all));
});

it("refuses a PostgreSQL older than 15, in one line", async () => {
  // Other clients of the process go on asking what they ask.
  const { query } = pg.Client.prototype as { query: (...given: unknown[]) => unknown };
  const asked = vi.spyOn(pg.Client.prototype as { query: (...given: unknown[]) => unknown }, "query");
  asked.mockImplementation(function (this: pg.Client, ...given) {
    const isVersion = (given[0] as { text?: string }).text === "show server_version_num";
    return isVersion ? Promise.resolve({ rows: [{ server_version_num: "140012" }] }) : query.apply(this, given);
  });
  await expect(migrate(database.connection, folder)).rejects.toThrow("PostgreSQL 15 or newer is needed; this server is 14.");
  asked.mockRestore();
  const { rows } = await database.client.query("select to_regclass('schema_migrations') as made");
  expect(rows).toEqual([{ made: null }]);
});
