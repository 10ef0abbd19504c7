import { getTableColumns, sql, type SQL } from "drizzle-orm";
import type { NodePgQueryResultHKT } from "drizzle-orm/node-postgres";
import type { PgInsertBase, PgTable } from "drizzle-orm/pg-core";
import type { Connection } from "./database.ts";

/**
 * Returns a function from a connection to a query that is built once for it. Drizzle builds a query's text anew at each use, which takes longer
 * than most queries themselves; `build` ends with `prepare`, and has placeholders for what differs. Not for lists and searches: PostgreSQL may keep
 * the plan for all values.
 */
export function prepared<Query>(build: (connection: Connection) => Query): (connection: Connection) => Query {
  const built = new WeakMap<Connection, Query>();
  return (connection) => {
    const known = built.get(connection);
    if (known !== undefined) return known;
    const query = build(connection);
    built.set(connection, query);
    return query;
  };
}

type Insert<Table extends PgTable> = PgInsertBase<Table, NodePgQueryResultHKT>;

interface Executable<Result> {
  execute(values: Record<string, unknown>): Promise<Result>;
}

/** Rows of an insert whose statement is kept. A mailing inserts hundreds, nearly each time another number. */
const maxKeptRows = 4;

/**
 * Returns a function that inserts rows into a table. A statement of few rows is built once for each connection, number of rows and choice of
 * columns; a column that is left out gets its default. `build` ends with `prepare`.
 */
export function preparedInsert<Table extends PgTable, Result>(
  table: Table,
  build: (rows: Insert<Table>) => Executable<Result>,
): (connection: Connection, rows: Table["$inferInsert"][]) => Promise<Result> {
  const columns = Object.entries(getTableColumns(table));
  const statements = prepared(() => new Map<string, Executable<Result>>());
  return (connection, rows) => {
    const built = statements(connection);
    const values: Record<string, unknown> = {};
    const given = rows.map((row: Record<string, unknown>, index) =>
      columns.flatMap(([name, column]) => {
        const value = row[name];
        if (value === undefined) return [];
        values[`${name}_${index}`] = value === null ? null : column.mapToDriverValue(value);
        return [name];
      }),
    );
    const choice = given.join(";");
    const known = built.get(choice);
    if (known !== undefined) return known.execute(values);
    const placeholders = given.map((names, index) =>
      Object.fromEntries(names.map((name) => [name, sql`${sql.placeholder(`${name}_${index}`)}`])),
    );
    const statement = build(connection.insert(table).values(placeholders as Table["$inferInsert"][]));
    if (rows.length <= maxKeptRows) built.set(choice, statement);
    return statement.execute(values);
  };
}

/**
 * Returns the array of a `prepared` query. It comes from a subquery, so that PostgreSQL expects the same of one element as of many, and keeps the
 * plan; otherwise it would plan the query for a single element anew at each use.
 */
export function arrayOf(placeholder: string, type: "uuid" | "text"): SQL {
  const array = sql.raw(`${type}[]`);
  return sql`(select ${sql.placeholder(placeholder)}::${array})::${array}`;
}
