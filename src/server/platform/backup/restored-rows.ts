import { finished, pipeline } from "node:stream/promises";
import type { Writable } from "node:stream";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { connectionDefaults, type ConnectionSettings } from "../db/database.ts";
import { lockKeys } from "../db/locks.ts";
import { BackupError } from "./archive.ts";
import { copyStatement, setSequences, tablesInOrder, type SequenceValue, type Table } from "./tables.ts";

const { escapeIdentifier } = pg;

/** The rows of a restoration: one transaction on a migrated, unused database, in which the product's triggers are off. */
export class RestoredRows {
  readonly #client: pg.Client;
  readonly #tables: Map<string, Table>;
  #open: { table: string; sink: Writable } | undefined;

  private constructor(client: pg.Client, tables: Table[]) {
    this.#client = client;
    this.#tables = new Map(tables.map((table) => [table.name, table]));
  }

  /** Throws `BackupError` when a site runs on the database, when it has accounts, or when it lacks a table of the backup. */
  static async begin(connection: ConnectionSettings, tables: Table[]): Promise<RestoredRows> {
    const client = new pg.Client({ ...connectionDefaults, ...connection });
    // An error without a listener would end the process. A lost connection also fails the statement.
    client.on("error", () => {});
    await client.connect();
    const rows = new RestoredRows(client, tables);
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
    // Checks that still wait would refuse the change of a table.
    await this.#client.query("set constraints all immediate");
    for (const name of this.#tables.keys())
      await this.#client.query(`alter table ${escapeIdentifier(name)} enable trigger user`);
  }

  /** Makes the rows count. */
  async commit(): Promise<void> {
    await this.#client.query("commit");
    await this.#client.end();
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
