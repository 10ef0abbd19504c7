import { readFileSync } from "node:fs";
import { getTableColumns, is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventTopics } from "#domain/api/events";
import { coins, priceNames } from "#domain/payment-methods/settings";
import * as schema from "#server/platform/db/schema";
import { scratchDatabase, type ScratchDatabase } from "../support/database/scratch-database.ts";

/** Tables that no query of ours reads by Drizzle. */
const withoutSchema = ["rate_limits", "schema_migrations"];

const tables = Object.values(schema).filter((value) => is(value, PgTable));

interface Column {
  type: string;
  nullable: boolean;
  /** The database fills it in where an insert leaves it out. */
  filledIn: boolean;
}

/** Without a key, since a lock on the account would make the job that deletes these rows and a deletion wait for each other. */
const withoutAccountKey = ["student_steps.account_id", "student_changes.account_id"];

const keepsAccount =
  "keeps an account from being deleted: add `on delete cascade`, or `on delete set null` to a nullable column";
const lacksKey = "outlives its account: add `references accounts (id) on delete cascade`, or `on delete set null`";
const lacksIndex = "has no index: create one that begins with it";

let database: ScratchDatabase;
let migrated: Map<string, Record<string, Column>>;

beforeAll(async () => {
  database = await scratchDatabase("migrated");
  migrated = await readTables();
});
afterAll(() => database.drop());

describe("the typed schema", () => {
  it("has the tables of the migrations, and no others", () => {
    const known = tables.map((table) => getTableConfig(table).name);
    expect(known.toSorted()).toEqual([...migrated.keys()].toSorted());
  });

  it.each(tables.map((table) => [getTableConfig(table).name, table] as const))("has the columns of %s", (name, table) => {
    const columns = Object.values(getTableColumns(table)).map((column): [string, Column] => [
      column.name,
      {
        type: column.getSQLType().replaceAll(", ", ","),
        nullable: !column.notNull,
        filledIn: column.hasDefault || column.generatedIdentity !== undefined || column.generated !== undefined,
      },
    ]);
    expect(Object.fromEntries(columns)).toEqual(migrated.get(name));
  });

  it("allows a column the words that its check allows", async () => {
    const columns = tables.flatMap((table) => Object.values(getTableColumns(table)));
    const words = columns.flatMap(({ table, name, enumValues }) =>
      enumValues ? [[`${getTableConfig(table as PgTable).name}.${name}`, enumValues.toSorted()]] : [],
    );
    expect(words.length).toBeGreaterThan(5);
    expect(Object.fromEntries(words)).toEqual(await readAllowedWords());
  });

  it("reads the words of a check, also where it allows a single one", async () => {
    await database.client.query(`
      begin;
      create table wordy (several text check (several in ('a', 'b')), one text check (one in ('a')))`);
    const words = await readAllowedWords();
    await database.client.query("rollback");
    expect(words).toMatchObject({ "wordy.several": ["a", "b"], "wordy.one": ["a"] });
  });

  it("notifies exactly the topics that the change feed knows", async () => {
    const feed = readFileSync("src/server/platform/realtime/changes.ts", "utf8");
    const ofServer = /\.\.\.eventTopics, ([^\]]+)\]/.exec(feed)?.[1]?.matchAll(/"([\w-]+)"/g) ?? [];
    const known = [...eventTopics, ...[...ofServer].map((match) => match[1]!)];
    const { rows } = await database.client.query<{ source: string; argument: string }>(`
      select distinct prosrc as source, rtrim(encode(tgargs, 'escape'), '\\0') as argument
      from pg_trigger join pg_proc on pg_proc.oid = tgfoid where not tgisinternal and prosrc ~ 'pg_notify'`);
    const sent = rows.flatMap(({ source, argument }) =>
      [...source.matchAll(/topic["'][,:] ?(?:["']([\w-]+)|tg_argv)/g)].map((match) => match[1] ?? argument),
    );
    expect([...new Set(sent)].toSorted()).toEqual(known.toSorted());
  });

  it("has no trigger function that no trigger calls", async () => {
    const { rows } = await database.client.query(`
      select proname from pg_proc where pronamespace = 'public'::regnamespace and prorettype = 'trigger'::regtype
        and not exists (select from pg_trigger where tgfoid = pg_proc.oid)`);
    expect(rows).toEqual([]);
  });

  it("has a row of every coin where its price and its chain are kept", async () => {
    const kept: Record<string, string[]> = {};
    for (const table of ["coin_prices", "public_prices", "chain_services"]) {
      const { rows } = await database.client.query<{ coin: string }>(`select coin from ${table}`);
      kept[table] = rows.map(({ coin }) => coin).toSorted();
    }
    const all = coins.toSorted();
    expect(kept).toEqual({ coin_prices: all, public_prices: all, chain_services: all });
  });

  it("checks all flags anew when the wallet changes, but for a price", async () => {
    const { rows } = await database.client.query<{ trigger: string }>(
      "select pg_get_triggerdef(oid) as trigger from pg_trigger where tgname = 'wallet_settings_flags'",
    );
    expect(priceNames.filter((name) => !rows[0]?.trigger.includes(`'${name}'`))).toEqual([]);
  });

  // ACCOUNT-8
  it("deletes or clears an account's rows with it, and has an index for each key", async () => {
    expect(await forgottenOfKeys(), 'Foreign keys: see step 4 of "Change a table" in CONTRIBUTING.md').toEqual([]);
  });

  it("reports a key that keeps an account, a missing key, and a missing index", async () => {
    await database.client.query(`
      begin;
      create table kept_by_profile (user_id uuid primary key references profiles (id));
      create table kept_by_null (id uuid primary key, session_id uuid not null references sessions (id) on delete set null);
      create index on kept_by_null (session_id);
      create table without_key (id uuid primary key, user_id uuid not null);
      create table without_index (id uuid primary key, account_id uuid references accounts (id) on delete cascade)`);
    const forgotten = await forgottenOfKeys();
    await database.client.query("rollback");
    expect(forgotten).toEqual([
      `kept_by_null.session_id ${keepsAccount}`,
      `kept_by_profile.user_id ${keepsAccount}`,
      `without_index.account_id ${lacksIndex}`,
      `without_key.user_id ${lacksIndex}`,
      `without_key.user_id ${lacksKey}`,
    ]);
  });

  it.each(tables.map((table) => [getTableConfig(table).name, table] as const))(
    "names %s's properties as its columns",
    (_, table) => {
      for (const [property, column] of Object.entries(getTableColumns(table))) expect(column.name).toBe(property);
    },
  );
});

async function readTables(): Promise<Map<string, Record<string, Column>>> {
  const { rows } = await database.client.query<Column & { table: string; column: string }>(`
    select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
      not a.attnotnull as nullable, (a.atthasdef or a.attidentity <> '') as "filledIn"
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`);
  const found = new Map<string, Record<string, Column>>();
  for (const { table, column, ...rest } of rows) {
    if (!withoutSchema.includes(table)) found.set(table, { ...found.get(table), [column]: rest });
  }
  return found;
}

/** Returns what is missing of each foreign key, and of each column that names an account. */
async function forgottenOfKeys(): Promise<string[]> {
  const { rows } = await database.client.query<{ name: string; keeps: boolean; lacks: boolean; unindexed: boolean }>(
    `with recursive deleted as (
      select 'accounts'::regclass::oid as id
      union select conrelid from deleted join pg_constraint on confrelid = id and contype = 'f' and confdeltype = 'c')
    select attrelid::regclass || '.' || attname as name, contype is null as lacks,
      coalesce(confrelid in (select id from deleted) and confdeltype <> 'c' and (confdeltype <> 'n' or attnotnull), false) as keeps,
      not exists (select from pg_index where indrelid = attrelid and indkey[0] = attnum) as unindexed
    from pg_attribute join pg_class on pg_class.oid = attrelid and relkind = 'r' and relnamespace = 'public'::regnamespace
      left join pg_constraint on conrelid = attrelid and contype = 'f' and conkey[1] = attnum
    where contype = 'f' or (attname in ('account_id', 'user_id', 'owner_id') and relname || '.' || attname <> all($1))`,
    [withoutAccountKey],
  );
  const forgotten = rows.flatMap(({ name, keeps, lacks, unindexed }) => [
    ...(keeps ? [`${name} ${keepsAccount}`] : []),
    ...(lacks ? [`${name} ${lacksKey}`] : []),
    ...(unindexed ? [`${name} ${lacksIndex}`] : []),
  ]);
  return forgotten.toSorted();
}

/** Returns the words of every check of the form `column in ('a', 'b')`. */
async function readAllowedWords(): Promise<Record<string, string[]>> {
  const { rows } = await database.client.query<{ table: string; definition: string }>(`
    select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace`);
  const checks = rows.flatMap(({ table, definition }) => {
    // PostgreSQL writes a list of one word as an equation.
    const [, column, several, one] = /^CHECK \(\((\w+) = (?:ANY \(ARRAY\[(.*)\]\)|('[^']*'::text))\)\)$/.exec(definition) ?? [];
    const list = several ?? one;
    return list === undefined
      ? []
      : [[`${table}.${column}`, [...list.matchAll(/'([^']*)'/g)].map((word) => word[1]!).toSorted()]];
  });
  return Object.fromEntries(checks);
}
