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
