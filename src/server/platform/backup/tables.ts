import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import pg from "pg";
import { siteSchema } from "../db/migrate.ts";
import * as schema from "../db/schema.ts";

/** A table of the product, and those of its columns that are stored and not computed. */
export interface Table {
  name: string;
  columns: string[];
}

/** The last value that a column's sequence has given. */
export interface SequenceValue {
  table: string;
  column: string;
  value: string;
}

const { escapeIdentifier } = pg;

/** The columns of each table of this program, whichever of them a backup has. */
export const ownColumns: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.values(schema).flatMap((one) => {
    if (!is(one, PgTable)) return [];
    const { name, columns } = getTableConfig(one);
    return [[name, columns.map((column) => column.name)] as const];
  }),
  ["schema_migrations", ["name", "sha256", "applied_at"]],
]);

/** Returns the tables and columns that are not this program's, such as an owner's own, which a restoration would refuse. */
export function foreignParts(tables: readonly Table[]): string[] {
  return tables.flatMap(({ name, columns }) => {
    const own = ownColumns.get(name);
    if (own === undefined) return [name];
    const foreign = columns.filter((column) => !own.includes(column));
    return foreign.length === 0 ? [] : [`${name} (${foreign.join(", ")})`];
  });
}

/** Returns the tables of the site's schema, each after those it refers to. Unlogged ones are left out: a crash empties them too. */
export async function tablesInOrder(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table & { parents: string[] }>(`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select p.relname::text from pg_constraint f join pg_class p on p.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as parents
    from pg_class c
    where c.relnamespace = ${siteSchema} and c.relkind = 'r' and c.relpersistence = 'p'
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.relname`);
  const ordered: Table[] = [];
  const rest = new Map(rows.map((row) => [row.name, row]));
  while (rest.size > 0) {
    const free = [...rest.values()].filter(({ parents }) => !parents.some((parent) => rest.has(parent)));
    if (free.length === 0) throw new Error(`Tables refer to each other in a circle: ${[...rest.keys()].join(", ")}`);
    for (const { name, columns } of free) {
      ordered.push({ name, columns });
      rest.delete(name);
    }
  }
  return ordered;
}

/** Returns how far identity columns have counted. Of a sequence that this role may not read, the highest number in use. */
export async function sequenceValues(client: pg.ClientBase): Promise<SequenceValue[]> {
  const { rows } = await client.query<{ table: string; column: string; last: string | null }>(`
    select c.relname as table, a.attname as column, s.last_value::text as last
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
    left join pg_sequences s on format('%I.%I', s.schemaname, s.sequencename) = pg_get_serial_sequence(format('%I', c.relname), a.attname)
    where c.relnamespace = ${siteSchema} and a.attidentity <> '' and not a.attisdropped`);
  const values: SequenceValue[] = [];
  for (const { table, column, last } of rows) {
    const value = last ?? (await highestOf(client, table, column));
    if (value !== null) values.push({ table, column, value });
  }
  return values;
}

async function highestOf(client: pg.ClientBase, table: string, column: string): Promise<string | null> {
  const { rows } = await client.query<{ highest: string | null }>(
    `select max(${escapeIdentifier(column)})::text as highest from ${escapeIdentifier(table)}`,
  );
  return rows[0]?.highest ?? null;
}

/** Has identity columns count on from values, if they are not there yet. */
export async function setSequences(client: pg.ClientBase, values: readonly SequenceValue[]): Promise<void> {
  for (const { table, column, value } of values) {
    await client.query("select setval(pg_get_serial_sequence(quote_ident($1), $2), $3::bigint)", [table, column, value]);
  }
}

/** Returns the COPY statement of a table's rows, as text. */
export function copyStatement({ name, columns }: Table, direction: "to stdout" | "from stdin"): string {
  return `copy ${escapeIdentifier(name)} (${columns.map(escapeIdentifier).join(", ")}) ${direction}`;
}
