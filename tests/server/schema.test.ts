import { getTableColumns, is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

  // ACCOUNT-8
  it("deletes or clears an account's rows with it, and has an index for each key", async () => {
    const { rows } = await database.client.query<{ name: string; keeps: boolean; unindexed: boolean }>(`
      select attrelid::regclass || '.' || attname as name,
        contype is null or (confrelid = 'accounts'::regclass and confdeltype not in ('c', 'n')) as keeps,
        not exists (select from pg_index where indrelid = attrelid and indkey[0] = attnum) as unindexed
      from pg_attribute join pg_class on pg_class.oid = attrelid and relkind = 'r' and relnamespace = 'public'::regnamespace
        left join pg_constraint on conrelid = attrelid and contype = 'f' and conkey[1] = attnum
      where contype = 'f' or (attname = 'account_id' and relname not in ('student_steps', 'student_changes'))`);
    expect(rows.filter(({ keeps, unindexed }) => keeps || unindexed)).toEqual([]);
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

/** Returns the words of every check of the form `column in ('a', 'b')`. */
async function readAllowedWords(): Promise<Record<string, string[]>> {
  const { rows } = await database.client.query<{ table: string; definition: string }>(`
    select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace`);
  const checks = rows.flatMap(({ table, definition }) => {
    const [, column, list] = /^CHECK \(\((\w+) = ANY \(ARRAY\[(.*)\]\)\)\)$/.exec(definition) ?? [];
    return list === undefined
      ? []
      : [[`${table}.${column}`, [...list.matchAll(/'([^']*)'/g)].map((word) => word[1]!).toSorted()]];
  });
  return Object.fromEntries(checks);
}
