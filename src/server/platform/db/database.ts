import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import * as schema from "./schema.ts";

export type Database = NodePgDatabase<typeof schema> & { $client: pg.Pool };

/** A checked-out connection inside `transaction` of transaction.ts. */
export type Transaction = NodePgDatabase<typeof schema> & { $client: pg.PoolClient };

/** What every query takes first: the pool, or the transaction it belongs to. */
export type Connection = Database | Transaction;

export type ConnectionSettings = pg.PoolConfig;

/** A pool on a PostgreSQL; `onError` hears of idle connections that broke, which the pool replaces by itself. */
export function openDatabase(connection: ConnectionSettings, onError: (error: Error) => void): Database {
  const pool = new pg.Pool({ max: 20, connectionTimeoutMillis: 10_000, idleTimeoutMillis: 30_000, ...connection });
  pool.on("error", onError);
  // Without a listener, a connection that is lost while checked out would end the process. Its next statement fails anyway.
  pool.on("connect", (client) => client.on("error", () => {}));
  return drizzle(pool, { schema });
}

/** The name of the unique rule or foreign key that PostgreSQL says is violated; undefined for any other error. */
export function violatedConstraint(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof pg.DatabaseError && ["23505", "23503"].includes(cause.code ?? "")) return cause.constraint;
  }
  return undefined;
}

/** Whether PostgreSQL refused because something refers to the row, or because what it refers to is not there. */
export function violatesForeignKey(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof pg.DatabaseError && cause.code === "23503") return true;
  }
  return false;
}
