import { and, eq, inArray, isNull, lt, notExists, or, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { BucketName } from "#domain/files/buckets";
import { violatesForeignKey, type Connection, type Transaction } from "../db/database.ts";
import { isNotEnded } from "../db/session-lifetime.ts";
import { lock, lockKeys } from "../db/locks.ts";
import { prepared } from "../db/prepared.ts";
import { transaction } from "../db/transaction.ts";
import { accounts, sessions, storedObjects } from "../db/schema.ts";

export type StoredObject = typeof storedObjects.$inferSelect;

/** Returns a finished object by its id, which is also the `upload_id` of the API. */
export async function findObject(connection: Connection, id: string): Promise<StoredObject | undefined> {
  const [row] = await connection.select().from(storedObjects).where(eq(storedObjects.id, id));
  return row;
}

/** What a signed link names. */
export interface LinkNames {
  sessionId: string;
  /** Sessions that began before have ended. */
  startedAfter: string;
  bucket: BucketName;
  name: string;
}

/** What a signed link leads to: the viewer, who is the account of the link's session, and the object of the link's name, or null when there is none. */
export interface FoundLink {
  viewerId: string;
  object: StoredObject | null;
}

/** The parts of a query for a `FoundLink` by two unique look-ups: `sessions` with `storedObjects` joined. */
export const linkQuery = {
  columns: { viewerId: sessions.account_id, object: storedObjects },
  namesObject: and(eq(storedObjects.bucket, sql.placeholder("bucket")), eq(storedObjects.name, sql.placeholder("name"))),
  isOfOpenSession: and(eq(sessions.id, sql.placeholder("sessionId")), isNotEnded(sql.placeholder("startedAfter"))),
};

const linkedObject = prepared((connection) => {
  const query = connection
    .select(linkQuery.columns)
    .from(sessions)
    .leftJoin(storedObjects, linkQuery.namesObject)
    .where(linkQuery.isOfOpenSession);
  // Stryker disable next-line StringLiteral: the pool names each statement by its text.
  return query.prepare("linked_object");
});

/** Returns what a signed link leads to, by one round trip for every range; undefined when the session has ended. */
export async function findLinkedObject(connection: Connection, names: LinkNames): Promise<FoundLink | undefined> {
  const [found] = await linkedObject(connection).execute({ ...names });
  return found;
}

export async function existsAccount(connection: Connection, id: string): Promise<boolean> {
  // Stryker disable next-line ObjectLiteral: only the number of rows is read.
  const rows = await connection.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, id));
  return rows.length === 1;
}

/** False when the id or the name is taken; throws a foreign key violation when the owner's account is gone. */
export async function insertObject(connection: Connection, row: typeof storedObjects.$inferInsert): Promise<boolean> {
  const inserted = await connection.insert(storedObjects).values(row).onConflictDoNothing().returning({ id: storedObjects.id });
  return inserted.length === 1;
}

/**
 * Returns the ids of at most `limit` objects of a bucket that were stored before a time, and replaced before it if at all, and that no row
 * refers to by one of the `references`.
 */
export async function findAllUnreferenced(
  connection: Connection,
  bucket: BucketName,
  references: PgColumn[],
  before: Date,
  limit: number,
): Promise<string[]> {
  const isLongReplaced = or(isNull(storedObjects.replaced_at), lt(storedObjects.replaced_at, before));
  const isOld = and(lt(storedObjects.created_at, before), isLongReplaced);
  const rows = await connection
    .select({ id: storedObjects.id })
    .from(storedObjects)
    .where(and(eq(storedObjects.bucket, bucket), isOld, ...areUnreferenced(connection, references)))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Returns the bytes of an account's objects of a bucket that no row refers to by one of the `references`. */
export async function unreferencedBytes(
  connection: Connection,
  bucket: BucketName,
  references: PgColumn[],
  ownerId: string,
): Promise<number> {
  const [row] = await connection
    .select({ bytes: sql`coalesce(sum(${storedObjects.size}), 0)`.mapWith(Number) })
    .from(storedObjects)
    .where(
      and(eq(storedObjects.owner_id, ownerId), eq(storedObjects.bucket, bucket), ...areUnreferenced(connection, references)),
    );
  // Stryker disable next-line OptionalChaining: a sum always returns a row.
  return row?.bytes ?? 0;
}

function areUnreferenced(connection: Connection, references: PgColumn[]) {
  return references.map((reference) =>
    notExists(
      connection
        .select({ one: sql`1` })
        .from(reference.table)
        .where(eq(reference, storedObjects.id)),
    ),
  );
}

/** Returns an object, or the one that has replaced it, which none replaces until the transaction ends. */
export async function lockCurrentObject(tx: Transaction, id: string): Promise<StoredObject | undefined> {
  const [row] = await tx.select().from(storedObjects).where(eq(storedObjects.id, id)).for("key share");
  return row?.replaced_by == null ? row : lockCurrentObject(tx, row.replaced_by);
}

/** Deletes a row that nothing refers to any more. */
export async function deleteObject(connection: Connection, id: string): Promise<void> {
  await connection.delete(storedObjects).where(eq(storedObjects.id, id));
}

/**
 * Deletes a row unless something refers to it, which the foreign keys decide in the same statement; false when something does.
 * Takes the pool: a refusal would end a surrounding transaction. Deletions take turns: what two objects share goes with either, and
 * they would meet it in opposite order.
 */
export function deleteObjectIfUnused(connection: Connection, id: string): Promise<boolean> {
  return isDeleted(connection, (tx) => deleteObject(tx, id));
}

/** The same for an upload together with the copy that has replaced it: while a video has the copy, earlier links need the upload (FILE-12). */
export function deleteUploadIfUnused(connection: Connection, id: string): Promise<boolean> {
  return isDeleted(connection, async (tx) => {
    const current = await lockCurrentObject(tx, id);
    if (current) await deleteObject(tx, current.id);
  });
}

async function isDeleted(connection: Connection, deletion: (tx: Transaction) => Promise<void>): Promise<boolean> {
  try {
    await transaction(connection, async (tx) => {
      await lock(tx, lockKeys.objectDeletion);
      await deletion(tx);
    });
    return true;
  } catch (error) {
    if (violatesForeignKey(error)) return false;
    throw error;
  }
}

/** Returns those of some ids that are finished objects. */
export async function findAllFinished(connection: Connection, ids: string[]): Promise<Set<string>> {
  const rows = await connection.select({ id: storedObjects.id }).from(storedObjects).where(inArray(storedObjects.id, ids));
  return new Set(rows.map((row) => row.id));
}
