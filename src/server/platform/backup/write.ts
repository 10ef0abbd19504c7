import type { Writable } from "node:stream";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { connectSession, type ConnectionSettings } from "../db/connections.ts";
import { lockKeys } from "../db/locks.ts";
import { fingerprintOfSecrets } from "../secrets.ts";
import { collect, piecesOf, type ByteRange } from "../storage/object-bytes.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { isDiskError } from "../storage/outage.ts";
import { ArchiveWriter, BackupError } from "./archive.ts";
import { backupFormat, entryNames, type Manifest } from "./manifest.ts";
import { copyStatement, foreignParts, sequenceValues, tablesInOrder, type Table } from "./tables.ts";

/** Bytes of a table's rows in one entry, which are held in memory: the size of an entry stands before its bytes. */
const pieceBytes = 4 * 1024 * 1024;

/** Bytes of a file that are read at once, and the reads of them before the backup fails. */
const rangeBytes = 8 * 1024 * 1024;
const rangeTries = 3;

/** Milliseconds to wait until removals of files that run have ended. */
const lockMs = 10_000;

export interface BackupSource {
  connection: ConnectionSettings;
  objects: Pick<ObjectStore, "open">;
  /** The text of `secrets.json`. */
  secrets: string;
  now: Date;
  /** Once it is aborted, the writing fails with its reason. */
  stopped?: AbortSignal;
}

export interface BackupSummary {
  tables: number;
  files: number;
  /** Bytes of the files. */
  fileBytes: number;
  /** Ids of objects that are missing, of another size than their rows say, or in part unreadable. */
  lost: string[];
}

/**
 * Writes database, files and secrets as they are at one moment, while the site serves (BACKUP-1): the rows of one snapshot, and every
 * object that these name, whose removal waits meanwhile (`areRemovalsHeld` of `openObjectStore`). Unfinished uploads are left out. Streams; needs some
 * 24 MB of memory. `readBack` runs when the sink has all, before another backup may begin. Throws `BackupError` while another backup is written,
 * where the database has tables or columns of something else, and where it has no site.
 */
export async function writeBackup(
  source: BackupSource,
  sink: Writable,
  readBack = (): Promise<void> => Promise.resolve(),
): Promise<BackupSummary> {
  const { stopped } = source;
  const stop = (): void => void sink.destroy(stopped?.reason as Error);
  const archive = new ArchiveWriter(sink);
  const hold = await connectSession(source.connection);
  try {
    stopped?.throwIfAborted();
    stopped?.addEventListener("abort", stop);
    await holdRemovals(hold);
    const { tables, objects } = await writeDatabase(source, archive);
    const summary: BackupSummary = { tables, files: 0, fileBytes: 0, lost: [] };
    for (const object of objects) await writeObject(source, archive, object, summary);
    await archive.finish();
    await readBack();
    // Fails when the connection was lost meanwhile, and with it the hold.
    await hold.query("commit");
    return summary;
  } catch (error) {
    sink.destroy();
    stopped?.throwIfAborted();
    throw error;
  } finally {
    stopped?.removeEventListener("abort", stop);
    await hold.end();
  }
}

const noLimits = "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0";

/** Takes the lock before the snapshot begins, so that what was removed before is not in it. */
async function holdRemovals(client: pg.Client): Promise<void> {
  await client.query(`begin; ${noLimits}; set local lock_timeout = ${lockMs}`);
  try {
    await client.query("select pg_advisory_xact_lock($1)", [lockKeys.backup]);
  } catch (error) {
    if ((error as pg.DatabaseError).code === "55P03")
      throw new BackupError("Another backup is being written.", { cause: error });
    throw error;
  }
}

interface ObjectRow {
  id: string;
  /** In bytes, as text. */
  size: string;
}

async function writeDatabase(source: BackupSource, archive: ArchiveWriter): Promise<{ tables: number; objects: ObjectRow[] }> {
  const client = await connectSession(source.connection);
  try {
    await client.query(
      // A store that takes long lets rows wait unreceived, which is no sign of a lost connection.
      `begin isolation level repeatable read read only; ${noLimits}; set local tcp_user_timeout = 0; set local datestyle = 'ISO'; set local timezone = 'UTC'`,
    );
    const tables = await tablesInOrder(client);
    if (!tables.some(({ name }) => name === "accounts"))
      throw new BackupError("There is no site to back up: no schema of the database's search path has its tables.");
    const foreign = foreignParts(tables);
    if (foreign.length > 0)
      throw new BackupError(
        `The database has what a restoration would refuse: ${foreign.join(", ")}. Move what is yours into a schema of its own; what a newer release has added, that release backs up.`,
      );
    // A database that the newer program has not migrated yet may have none.
    if (tables.some(({ name }) => name === "secrets_fingerprint")) await requireSecretsOfDatabase(client, source.secrets);
    const migrations = await client.query<Manifest["migrations"][number]>(
      "select name, sha256 from schema_migrations order by name",
    );
    const manifest: Manifest = {
      format: backupFormat,
      created_at: source.now.toISOString(),
      migrations: migrations.rows,
      tables,
    };
    await addText(archive, entryNames.manifest, JSON.stringify(manifest, undefined, 2));
    await addText(archive, entryNames.secrets, source.secrets);
    for (const table of tables) await writeRows(client, archive, table);
    await addText(archive, entryNames.sequences, JSON.stringify(await sequenceValues(client)));
    const objects = await client.query<ObjectRow>("select id, size from stored_objects order by id");
    await client.query("commit");
    return { tables: tables.length, objects: objects.rows };
  } finally {
    await client.end();
  }
}

/** A restored site refuses to start with secrets that its database is not used with, such as those of another machine before they were renewed. */
async function requireSecretsOfDatabase(client: pg.Client, secrets: string): Promise<void> {
  const { rows } = await client.query<{ fingerprint: Buffer }>("select fingerprint from secrets_fingerprint");
  const fingerprint = await fingerprintOfSecrets(secrets);
  if (rows.some((row) => !row.fingerprint.equals(fingerprint)))
    throw new BackupError(
      "The secrets.json of this machine is not the one that the database is used with: copy it from another machine of the site.",
    );
}

function addText(archive: ArchiveWriter, name: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  return archive.add(name, bytes.length, [bytes]);
}

async function writeRows(client: pg.Client, archive: ArchiveWriter, table: Table): Promise<void> {
  let pieces: Buffer[] = [];
  let size = 0;
  let count = 0;
  const writePiece = async (): Promise<void> => {
    count += 1;
    await archive.add(entryNames.rows(table.name, count), size, pieces);
    [pieces, size] = [[], 0];
  };
  for await (const piece of client.query(copyTo(copyStatement(table, "to stdout"))) as AsyncIterable<Buffer>) {
    pieces.push(piece);
    size += piece.length;
    if (size >= pieceBytes) await writePiece();
  }
  if (size > 0) await writePiece();
}

async function writeObject(
  source: BackupSource,
  archive: ArchiveWriter,
  { id, size }: ObjectRow,
  summary: BackupSummary,
): Promise<void> {
  const bytes = await source.objects.open(id);
  await bytes?.close();
  let isWhole = bytes?.size === Number(size);
  if (bytes) {
    const ranges = wholeRanges(source.objects, id, bytes.size, () => (isWhole = false));
    await archive.add(entryNames.object(id), bytes.size, ranges);
    summary.files += 1;
    summary.fileBytes += bytes.size;
  }
  if (!isWhole) summary.lost.push(id);
}

/**
 * Returns an object in ranges that are read whole first: a store cuts off a reply that waits while a part of the backup is sent. A range that
 * the disk cannot read is zeros, after a call of `onUnreadable`.
 */
async function* wholeRanges(
  objects: BackupSource["objects"],
  id: string,
  size: number,
  onUnreadable: () => void,
): AsyncGenerator<Buffer> {
  for (let start = 0; start < size; start += rangeBytes) {
    const end = Math.min(start + rangeBytes, size);
    yield await readRange(objects, id, { start, end }).catch((error: unknown) => {
      if (!isDiskError(error)) throw error;
      onUnreadable();
      return Buffer.alloc(end - start);
    });
  }
}

async function readRange(objects: BackupSource["objects"], id: string, range: ByteRange): Promise<Buffer> {
  for (let left = rangeTries; ; left -= 1) {
    try {
      return await collect(piecesOf(objects, id, range));
    } catch (error) {
      if (left === 1) throw error;
    }
  }
}
