import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { DroppablePool } from "./droppable-pool.ts";
import * as schema from "./schema.ts";

export type Database = NodePgDatabase<typeof schema> & { $client: pg.Pool };

/** A checked-out connection inside `transaction` of transaction.ts. */
export type Transaction = NodePgDatabase<typeof schema> & { $client: pg.PoolClient };

/** What every query takes first: the pool, or the transaction it belongs to. */
export type Connection = Database | Transaction;

export type ConnectionSettings = pg.PoolConfig;

/** How long a new connection may take, in milliseconds; also how long a query waits for a free one. */
const connectMs = 10_000;
/** The server ends a statement after this; where no answer comes, the client gives up a little later. */
const statementMs = 15_000;
const queryMs = statementMs + 5000;
const lockMs = 10_000;
const idleInTransactionMs = 60_000;

/** What every connection has, whoever opens it: a silent peer is noticed while connecting and by the system's keep-alive. */
export const connectionDefaults = {
  connectionTimeoutMillis: connectMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} satisfies pg.ClientConfig;

/** A pool on a PostgreSQL; `onError` is called for idle connections that broke, which the pool replaces by itself. */
export function openDatabase(
  connection: ConnectionSettings,
  onError: (error: Error) => void,
): Database & { $client: DroppablePool } {
  const pool = new DroppablePool({
    max: 20,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: 30 * 60,
    query_timeout: queryMs,
    ...connectionDefaults,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for the promise, which its types do not say
    onConnect: limitSession,
    ...connection,
  });
  pool.on("error", onError);
  // Without a listener, a connection that is lost while checked out would end the process. Its next statement fails anyway.
  pool.on("connect", (client) => client.on("error", () => {}));
  return drizzle(pool, { schema });
}

/** By statement, as poolers such as PgBouncer refuse connections that carry such settings among their startup parameters. */
async function limitSession(client: pg.ClientBase): Promise<void> {
  await client.query(
    `set statement_timeout = ${statementMs}; set lock_timeout = ${lockMs}; set idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
  );
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
