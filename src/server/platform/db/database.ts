import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { connectionDefaults, serverKeepAlive, setStatements, type ConnectionSettings } from "./connections.ts";
import { DroppablePool } from "./droppable-pool.ts";
import * as schema from "./schema.ts";
import { connectionClass } from "./statement-names.ts";
import { causesOf } from "./unavailable.ts";

export type Database = NodePgDatabase<typeof schema> & { $client: DroppablePool };

/** A checked-out connection inside `transaction` of transaction.ts. */
export type Transaction = NodePgDatabase<typeof schema> & { $client: pg.PoolClient };

/** The first parameter of every query: the pool, or a transaction. */
export type Connection = Database | Transaction;

/** Milliseconds after which the server cancels a statement; without a reply the client gives up 5 s later. */
const statementMs = 15_000;
const queryMs = statementMs + 5000;
const lockMs = 10_000;
/** A transaction whose client has vanished keeps its row locks for this long. Only those that call `allowIdle` stand still for longer. */
const idleInTransactionMs = 5000;

/** Time limits, and what a role or a database may have otherwise: a lock must let read what its holder wrote, and dates are read in one form. */
const sessionSettings = {
  statement_timeout: statementMs,
  lock_timeout: lockMs,
  idle_in_transaction_session_timeout: idleInTransactionMs,
  default_transaction_isolation: "'read committed'",
  datestyle: "iso",
};

/** Behind a pooler. */
const limitedBegin = `begin isolation level read committed; ${setStatements("local", sessionSettings)}`;

/** Returns a pool of connections. `onError` receives errors of idle connections, which the pool replaces. */
export function openDatabase(connection: ConnectionSettings, onError: (error: Error) => void): Database {
  const pool = new DroppablePool({
    Client: connectionClass({ prepares: connection.prepares ?? true }),
    max: 20,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: 30 * 60,
    query_timeout: queryMs,
    ...connectionDefaults,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for the promise, which its types do not say
    ...(connection.direct === undefined ? { onConnect: setUpSession } : { begin: limitedBegin }),
    ...connection,
  });
  pool.on("error", onError);
  // Without a listener, losing a connection that is in use would end the process. Its next statement fails anyway.
  pool.on("connect", (client) => client.on("error", () => {}));
  return drizzle(pool, { schema });
}

/**
 * Behind a pooler that shares connections between transactions each transaction sets its own, without the keep-alive, since the session is the
 * pooler's; a statement outside of one has only the client's limit.
 */
async function setUpSession(client: pg.ClientBase): Promise<void> {
  await client.query(setStatements("session", { ...sessionSettings, ...serverKeepAlive }));
}

/** Returns the name of the violated unique rule or foreign key, or undefined for any other error. */
export function violatedConstraint(error: unknown): string | undefined {
  return violationOf(error, ["23505", "23503"])?.constraint;
}

/** Returns whether an error is a violated foreign key. */
export function violatesForeignKey(error: unknown): boolean {
  return violationOf(error, ["23503"]) !== undefined;
}

function violationOf(error: unknown, codes: string[]): pg.DatabaseError | undefined {
  const failures = causesOf(error).filter((cause) => cause instanceof pg.DatabaseError);
  return failures.find(({ code = "" }) => codes.includes(code));
}
