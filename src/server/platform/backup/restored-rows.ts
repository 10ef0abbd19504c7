import type { Writable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { connectSession, type ConnectionSettings } from "../db/connections.ts";
import { lockKeys } from "../db/locks.ts";
import { BackupError } from "./archive.ts";
import { copyStatement, ownColumns, setSequences, tablesInOrder, type SequenceValue, type Table } from "./tables.ts";

const { escapeIdentifier } = pg;

/**
 * Throws `BackupError` where a database is in use, or has tables of something else: before anything is changed, since the restoration
 * empties what it finds.
 */
export async function refuseTarget(connection: ConnectionSettings, tables: Table[]): Promise<void> {
  const client = await connectSession(connection);
  try {
    await client.query("begin");
    const found = (await tablesInOrder(client)).map(({ name }) => name);
    if (found.includes("accounts")) await refuseUsed(client);
    const named = new Set([...ownColumns.keys(), ...tables.map(({ name }) => name)]);
    const foreign = found.filter((name) => !named.has(name));
    if (foreign.length > 0)
      throw new BackupError(`The database has tables of something else: ${foreign.join(", ")}. Restore into an empty one.`);
  } finally {
    await client.end();
  }
}

/** The connection was lost in the very commit, and no other could be made to ask whether the rows count. */
export class UnknownOutcomeError extends BackupError {
  constructor(cause: unknown) {
    const text =
      "The connection to the database was lost at the very end, and it cannot be asked whether the restoration counts. " +
      "If the database has accounts, all is restored: start the site. If not, repeat it into another DATA_DIR.";
    super(text, { cause });
  }
}

/** The rows of a restoration: one transaction on a migrated, unused database, in which the product's triggers are off. */
export class RestoredRows {
  readonly #client: pg.Client;
  readonly #connection: ConnectionSettings;
  readonly #tables: Map<string, Table>;
  #open: { table: string; sink: Writable } | undefined;

  private constructor(client: pg.Client, connection: ConnectionSettings, tables: Table[]) {
    this.#client = client;
    this.#connection = connection;
    this.#tables = new Map(tables.map((table) => [table.name, table]));
  }

  /** Throws `BackupError` when a site runs on the database, when it has accounts, or when it lacks a table of the backup. */
  static async begin(connection: ConnectionSettings, tables: Table[]): Promise<RestoredRows> {
    const client = await connectSession(connection);
    const rows = new RestoredRows(client, connection, tables);
    try {
      await client.query("begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0");
      await refuseUsed(client);
      const own = await tablesInOrder(client);
      refuseOthers(own, tables);
      for (const { name } of own) await client.query(`alter table ${escapeIdentifier(name)} disable trigger user`);
      for (const { name } of own.toReversed()) await deleteMadeRows(client, name);
      return rows;
    } catch (error) {
      await rows.undo();
      throw error;
    }
  }

  /** Adds a piece of a table's rows. All pieces of a table are one COPY, since its rows may refer to later ones. */
  async add(table: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    if (this.#open?.table !== table) {
      await this.#endTable();
      const known = this.#tables.get(table);
      if (known === undefined) throw new BackupError(`The backup has rows of a table that it does not name: ${table}.`);
      this.#open = { table, sink: this.#client.query(copyFrom(copyStatement(known, "from stdin"))) };
    }
    await pipeline(bytes, this.#open.sink, { end: false });
  }

  async setSequences(values: readonly SequenceValue[]): Promise<void> {
    await this.#endTable();
    await setSequences(this.#client, values);
  }

  /** Does all that can fail for what the backup holds, before `commit`. */
  async complete(): Promise<void> {
    await this.#endTable();
    // What another site has backed up is not for this one to count or remove (BACKUP-5). Older backups lack the table.
    if (this.#tables.has("backup_runs")) await this.#client.query("delete from backup_runs");
    // Checks that still wait would refuse the change of a table.
    await this.#client.query("set constraints all immediate");
    for (const name of this.#tables.keys())
      await this.#client.query(`alter table ${escapeIdentifier(name)} enable trigger user`);
  }

  /**
   * Makes the rows count. Where the connection is lost meanwhile, the database is asked on another one whether they do: returns when they do,
   * throws `UnknownOutcomeError` when it cannot be asked within so many milliseconds, and the error of the commit when they do not.
   */
  async commit(backWithinMs: number): Promise<void> {
    const { rows } = await this.#client.query<{ id: string }>("select pg_current_xact_id()::text as id");
    try {
      await this.#client.query("commit");
      await this.#client.end();
    } catch (error) {
      const status = await transactionStatus(this.#connection, rows[0]!.id, backWithinMs);
      if (status === undefined) throw new UnknownOutcomeError(error);
      if (status === "aborted") throw error;
    }
  }

  /** Leaves the database as it was. */
  async undo(): Promise<void> {
    this.#open?.sink.on("error", () => {}).destroy();
    await this.#client.end();
  }

  async #endTable(): Promise<void> {
    const sink = this.#open?.sink;
    this.#open = undefined;
    if (sink) await finished(sink.end());
  }
}

/** Milliseconds between two tries to ask a database that was lost. */
const retryMs = 1000;

/** Returns whether a transaction counts, on a connection of its own; undefined when the database cannot be asked in time. */
async function transactionStatus(
  connection: ConnectionSettings,
  id: string,
  withinMs: number,
): Promise<"committed" | "aborted" | undefined> {
  for (let waited = 0; waited < withinMs; waited += retryMs) {
    const status = await askStatus(connection, id).catch(() => undefined);
    if (status === "committed" || status === "aborted") return status;
    await pause(retryMs);
  }
  return undefined;
}

async function askStatus(connection: ConnectionSettings, id: string): Promise<string | undefined> {
  const client = await connectSession(connection);
  try {
    const { rows } = await client.query<{ status: string }>("select pg_xact_status($1::xid8) as status", [id]);
    return rows[0]?.status;
  } finally {
    await client.end();
  }
}

/** Deletes what migrations have added; the backup has it as it was last. Not asked of an empty table, such as the audit log (AUDIT-1). */
async function deleteMadeRows(client: pg.Client, table: string): Promise<void> {
  const { rowCount } = await client.query(`select 1 from ${escapeIdentifier(table)} limit 1`);
  if (rowCount) await client.query(`delete from ${escapeIdentifier(table)}`);
}

async function refuseUsed(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ free: boolean; used: boolean }>(
    "select pg_try_advisory_xact_lock($1) as free, exists(select from accounts) as used",
    [lockKeys.runningSite],
  );
  if (rows[0]?.free !== true) throw new BackupError("A site is running on this database. Restore into an empty one.");
  if (rows[0].used) throw new BackupError("The database is in use: it has accounts. Restore into an empty one.");
}

function refuseOthers(own: Table[], tables: Table[]): void {
  const columnsOf = new Map(own.map(({ name, columns }) => [name, columns]));
  for (const { name, columns } of tables) {
    const missing = columns.filter((column) => columnsOf.get(name)?.includes(column) !== true);
    if (missing.length > 0)
      throw new BackupError(`The backup has what this program does not know: ${name} (${missing.join(", ")}).`);
  }
}
