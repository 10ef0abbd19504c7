import { addAbortSignal, type Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type * as z from "zod";
import type { ConnectionSettings } from "../db/connections.ts";
import { migrate, migrationsIn } from "../db/migrate.ts";
import { isObjectId, type ObjectStore } from "../storage/object-store.ts";
import { BackupError, readArchive, type ArchiveEntry } from "./archive.ts";
import { entryNames, Manifest, Sequences } from "./manifest.ts";
import { refuseTarget, RestoredRows, UnknownOutcomeError } from "./restored-rows.ts";

/** Bytes of an entry that is read as a whole. */
const maxTextBytes = 16 * 1024 * 1024;

export interface RestoreTarget {
  connection: ConnectionSettings;
  migrationsDir: string;
  objects: Pick<ObjectStore, "begin" | "append" | "complete" | "remove" | "ids">;
  /** Stores the text of `secrets.json`, durable. Rejects when it is not whole. */
  storeSecrets: (secrets: string) => Promise<void>;
  /** Milliseconds that a database which is lost at the very end has to come back; a minute unless given. */
  backWithinMs?: number;
  /** Once it is aborted, the restoration is undone and fails with its reason, unless its rows count already. */
  stopped?: AbortSignal;
}

export interface RestoreSummary {
  /** When the backup was made, ISO 8601. */
  createdAt: string;
  tables: number;
  files: number;
}

/**
 * Restores a backup into an empty database and an empty store (BACKUP-2), then applies the migrations that are newer than it. The rows'
 * transaction ends last, when files and secrets are durable and the backup's digest was found right, so a restoration that is cut
 * off leaves an unused database. Throws `BackupError` for a backup that is damaged or newer than this program, and for a target in use.
 */
export async function restoreBackup(target: RestoreTarget, source: Readable): Promise<RestoreSummary> {
  for await (const ids of target.objects.ids()) {
    if (ids.length > 0)
      throw new BackupError(
        "There are stored files already. Restore into an empty DATA_DIR or, with S3_BUCKET, into an empty bucket.",
      );
  }
  const restoration = new Restoration(target);
  try {
    if (target.stopped) addAbortSignal(target.stopped, source);
    for await (const entry of readArchive(source)) await restoration.take(entry);
    return await restoration.finish();
  } catch (error) {
    if (await restoration.undo()) target.stopped?.throwIfAborted();
    throw error;
  }
}

class Restoration {
  readonly #target: RestoreTarget;
  readonly #ids: string[] = [];
  #manifest: Manifest | undefined;
  #rows: RestoredRows | undefined;
  #secrets: string | undefined;

  constructor(target: RestoreTarget) {
    this.#target = target;
  }

  async take(entry: ArchiveEntry): Promise<void> {
    const [folder, name = ""] = entry.name.split("/");
    if (entry.name === entryNames.manifest) await this.#begin(parse(await textOf(entry), Manifest));
    else if (!this.#rows) throw new BackupError("This is not a backup: it has no manifest.");
    else if (entry.name === entryNames.secrets) this.#secrets = await textOf(entry);
    else if (folder === "tables") await this.#rows.add(name, entry.bytes);
    else if (entry.name === entryNames.sequences) await this.#rows.setSequences(parse(await textOf(entry), Sequences));
    else if (folder === "objects" && isObjectId(name)) await this.#store(name, entry);
    else throw new BackupError(`The backup has an entry of another kind: ${entry.name}`);
  }

  async finish(): Promise<RestoreSummary> {
    if (!this.#manifest || !this.#rows || this.#secrets === undefined) throw new BackupError("The backup is not whole.");
    this.#target.stopped?.throwIfAborted();
    await this.#rows.complete();
    this.#target.stopped?.throwIfAborted();
    await this.#target.storeSecrets(this.#secrets);
    await this.#rows.commit(this.#target.backWithinMs ?? 60_000).catch((error: unknown) => {
      // The files may belong to rows that count.
      if (error instanceof UnknownOutcomeError) this.#rows = undefined;
      throw error;
    });
    this.#rows = undefined;
    await migrate(this.#target.connection, this.#target.migrationsDir);
    return { createdAt: this.#manifest.created_at, tables: this.#manifest.tables.length, files: this.#ids.length };
  }

  /** Returns false where the rows may count, and with them the files. */
  async undo(): Promise<boolean> {
    if (this.#manifest && !this.#rows) return false;
    await this.#rows?.undo();
    for (const id of this.#ids) await this.#target.objects.remove(id);
    return true;
  }

  async #begin(manifest: Manifest): Promise<void> {
    const { connection, migrationsDir } = this.#target;
    const known = new Map((await migrationsIn(migrationsDir)).map(({ name, sha256 }) => [name, sha256]));
    const unknown = manifest.migrations.filter(({ name, sha256 }) => known.get(name) !== sha256).map(({ name }) => name);
    if (unknown.length > 0)
      throw new BackupError(
        `The backup is newer than this program, which lacks migration ${unknown.join(", ")}. Use the newer program.`,
      );
    await refuseTarget(connection, manifest.tables);
    await migrate(connection, migrationsDir, new Set(manifest.migrations.map(({ name }) => name)));
    this.#rows = await RestoredRows.begin(connection, manifest.tables);
    this.#manifest = manifest;
  }

  async #store(id: string, { size, bytes }: ArchiveEntry): Promise<void> {
    const { objects } = this.#target;
    this.#ids.push(id);
    await objects.begin(id);
    const writer = await objects.append(id, 0);
    try {
      for await (const piece of bytes) await writer?.write(piece);
      await writer?.flush();
    } finally {
      await writer?.close(true);
    }
    const stored = await objects.complete(id);
    await stored?.close();
    if (stored?.size !== size) throw new Error(`The file ${id} could not be stored.`);
  }
}

async function textOf({ name, size, bytes }: ArchiveEntry): Promise<string> {
  if (size > maxTextBytes) throw new BackupError(`The backup's ${name} is too long.`);
  return text(bytes);
}

function parse<Schema extends z.ZodType>(json: string, schema: Schema): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(json));
  } catch (error) {
    throw new BackupError("The backup is of another format than this program's.", { cause: error });
  }
}
