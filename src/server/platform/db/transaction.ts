import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { currentRequestId } from "../logging/request-id.ts";
import type { Connection, Database, Transaction } from "./database.ts";
import * as schema from "./schema.ts";
import { breaksConnection } from "./unavailable.ts";

/**
 * Runs `action` in one transaction and returns its result. An error rolls the transaction back and is thrown again. Inside a
 * transaction, uses a savepoint instead, and an error undoes only `action`.
 */
export function transaction<Result>(connection: Connection, action: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return isTransaction(connection) ? inSavepoint(connection, action) : inTransaction(connection, action);
}

/** Returns whether a connection is that of a transaction or of `onOneConnection`, not the pool. */
export function isTransaction(connection: Connection): connection is Transaction {
  return !(connection.$client instanceof pg.Pool);
}

/** Replaces Drizzle's `transaction`, which leaks a connection of the pool when `begin` fails. */
async function inTransaction<Result>(db: Database, action: (tx: Transaction) => Promise<Result>): Promise<Result> {
  const client = await db.$client.connect();
  let broken: Error | undefined;
  try {
    await client.query(beginOf(db));
    const result = await action(transactionOn(client));
    await commit(client);
    return result;
  } catch (error) {
    broken = breaksConnection(error) ? (error as Error) : await rollback(client);
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Sets for how many seconds a transaction may stand still between two statements, while it keeps its locks; 0 means no limit. */
export async function allowIdle(tx: Transaction, seconds: number): Promise<void> {
  await tx.execute(sql`select set_config('idle_in_transaction_session_timeout', ${`${seconds}s`}, true)`);
}

/** With the request's id in `pg_stat_activity`, and in PostgreSQL's log by `%a`. */
function beginOf({ $client: { begin } }: Database): string {
  const id = currentRequestId();
  return id === undefined ? begin : `${begin}; set local application_name = 'request ${id}'`;
}

/**
 * Runs queries on one connection and returns what `action` does, so that `together` sends them one behind the other instead of taking many
 * connections out of the pool. Each is a transaction of its own, except inside of one.
 */
export async function onOneConnection<Result>(
  connection: Connection,
  action: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  if (isTransaction(connection)) return action(connection);
  const client = await connection.$client.connect();
  let broken: Error | undefined;
  try {
    return await action(transactionOn(client));
  } catch (error) {
    if (breaksConnection(error)) broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query("commit");
  // After a statement whose error was caught, PostgreSQL rolls back at `commit` without an error.
  if (command === "ROLLBACK") throw new Error("The transaction was rolled back: a statement in it had failed.");
}

/** Rolls back. Returns an error when that fails: the connection must then leave the pool. */
function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  return client.query("rollback").then(
    () => undefined,
    (error: Error) => error,
  );
}

async function inSavepoint<Result>(tx: Transaction, action: (tx: Transaction) => Promise<Result>): Promise<Result> {
  // The name may repeat: PostgreSQL uses the innermost.
  await tx.$client.query("savepoint inner_action");
  try {
    const result = await action(tx);
    await tx.$client.query("release savepoint inner_action");
    return result;
  } catch (error) {
    await tx.$client.query("rollback to savepoint inner_action");
    throw error;
  }
}

/** Drizzle's view of each connection, cached: building it takes longer than most statements. */
const transactions = new WeakMap<pg.PoolClient, Transaction>();

function transactionOn(client: pg.PoolClient): Transaction {
  const known = transactions.get(client);
  if (known) return known;
  const tx = drizzle(client, { schema });
  transactions.set(client, tx);
  return tx;
}
