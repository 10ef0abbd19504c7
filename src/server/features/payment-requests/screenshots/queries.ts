import { and, arrayOverlaps, eq, inArray, isNotNull, ne, or, sql } from "drizzle-orm";
import type { DuplicateKind } from "#domain/payments/payment-request";
import { oppositeEdges, rowLength, sampleStarts } from "#domain/payments/perceptual-fingerprint";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { lock, lockKeys } from "../../../platform/db/locks.ts";
import { prepared } from "../../../platform/db/prepared.ts";
import {
  accounts,
  duplicateScreenshots,
  paymentRequestParts as parts,
  paymentRequests,
  screenshotFingerprints as fingerprints,
  storedObjects,
} from "../../../platform/db/schema.ts";
import { proofsOf } from "../rest/queries.ts";
import { findAllUnreferenced, unreferencedBytes } from "../../../platform/storage/queries.ts";

export type Fingerprint = Omit<typeof fingerprints.$inferSelect, "object_id">;

/** Locks the search for duplicates until the transaction ends: of two uploads of one picture at once, the second finds the first. */
export async function lockDuplicates(tx: Transaction): Promise<void> {
  await lock(tx, lockKeys.screenshotComparison);
}

export async function insertFingerprint(tx: Transaction, objectId: string, fingerprint: Fingerprint): Promise<void> {
  await tx.insert(fingerprints).values({ ...fingerprint, object_id: objectId });
}

export async function findFingerprint(tx: Transaction, objectId: string): Promise<Fingerprint | undefined> {
  const [row] = await tx.select().from(fingerprints).where(eq(fingerprints.object_id, objectId));
  return row;
}

/** Another screenshot, by the id of its object. */
export interface OtherScreenshot {
  id: string;
  /** Whether an approved request has it; null where none has it. */
  isApproved: boolean | null;
  /** When the oldest request that has it was submitted; null where none has it. */
  usedAt: Date | null;
}

/** Screenshots with the requests that have each. A look-up for each row: a join would read all requests. */
function selectOthers(tx: Transaction) {
  const used = proofsOf(tx, "used");
  const { id, status, created_at } = paymentRequests;
  const uses = tx
    .select({
      isApproved: sql<boolean | null>`bool_or(${status} = 'approved')`.as("is_approved"),
      usedAt: sql<Date | null>`min(${created_at})`.mapWith(created_at).as("used_at"),
    })
    .from(used)
    .innerJoin(paymentRequests, eq(id, used.request_id))
    .where(eq(used.object_id, fingerprints.object_id))
    .as("uses");
  const { isApproved, usedAt } = uses;
  const query = tx.select({ id: fingerprints.object_id, isApproved, usedAt }).from(fingerprints).crossJoinLateral(uses);
  return { query, asNamed: [sql`${isApproved} desc nulls last`, usedAt] };
}

/** Returns other screenshots of the same bytes: first those of approved requests, then of others, the oldest first, then unused ones. */
export async function findAllBySha256(
  tx: Transaction,
  objectId: string,
  sha256: Buffer,
  limit: number,
): Promise<OtherScreenshot[]> {
  const { query, asNamed } = selectOthers(tx);
  return query
    .where(and(eq(fingerprints.sha256, sha256), ne(fingerprints.object_id, objectId)))
    .orderBy(...asNamed)
    .limit(limit);
}

/**
 * Returns other screenshots that share a band with this one, the most similar first: by the number of opposite edges, and among
 * nearly equal numbers as `findAllBySha256` does.
 */
export async function findAllSimilar(
  tx: Transaction,
  objectId: string,
  { bands, edges }: { bands: number[]; edges: string },
  limit: number,
): Promise<OtherScreenshot[]> {
  const oppositeEdgeCount = sql`bit_count(${fingerprints.edges} & ${oppositeEdges(edges)})`;
  const { query, asNamed } = selectOthers(tx);
  return query
    .where(and(arrayOverlaps(fingerprints.bands, bands), ne(fingerprints.object_id, objectId)))
    .orderBy(sql`${oppositeEdgeCount} / 4`, ...asNamed)
    .limit(limit);
}

const samples = prepared((connection) => {
  // Read whole: the column is compressed, and each part that is taken of it would have it decompressed again. The limit keeps this a query of its own.
  const found = connection
    .select({ id: fingerprints.object_id, picture: sql`${fingerprints.picture} || ''::bytea`.as("picture") })
    .from(fingerprints)
    .where(sql`${fingerprints.object_id} = any(${sql.placeholder("objectIds")}::uuid[])`);
  // Stryker disable next-line Query: the limit is that of the ids.
  const whole = found.limit(sql.placeholder("count")).as("whole");
  const rowsOfSample = sampleStarts.map(
    (start) => sql`substring(${whole.picture} from ${sql.raw(`${start + 1} for ${rowLength}`)})`,
  );
  return connection
    .select({ id: whole.id, sample: sql<Buffer>`${sql.join(rowsOfSample, sql` || `)}` })
    .from(whole)
    .prepare("screenshot_samples");
});

/** Returns the samples of screenshots' pictures, by the screenshots' ids. */
export async function findAllSamples(tx: Transaction, objectIds: string[]): Promise<Map<string, Buffer>> {
  const rows = await samples(tx).execute({ objectIds, count: objectIds.length });
  return new Map(rows.map((row) => [row.id, row.sample]));
}

const pictures = prepared((connection) =>
  // Stryker disable next-line Query: others' pictures more would only take time.
  connection
    .select({ id: fingerprints.object_id, picture: fingerprints.picture })
    .from(fingerprints)
    .where(sql`${fingerprints.object_id} = any(${sql.placeholder("objectIds")}::uuid[])`)
    .prepare("screenshot_pictures"),
);

/** Returns the pictures of screenshots, by their ids. */
export async function findAllPictures(tx: Transaction, objectIds: string[]): Promise<Map<string, Buffer>> {
  const rows = await pictures(tx).execute({ objectIds });
  // Without a picture there is no sample that leads here.
  return new Map(rows.map(({ id, picture }) => [id, picture!]));
}

/** Stores duplicates in both directions, each once, and leaves out screenshots that are being deleted. */
export async function insertDuplicates(
  tx: Transaction,
  objectId: string,
  found: readonly { id: string; kind: DuplicateKind }[],
): Promise<void> {
  // Stryker disable next-line ConditionFalse: saves a query.
  if (found.length === 0) return;
  const ids = found.map(({ id }) => id);
  const existing = await tx
    .select({ id: storedObjects.id })
    .from(storedObjects)
    .where(inArray(storedObjects.id, ids))
    .orderBy(storedObjects.id)
    .for("key share");
  const kept = new Set(existing.map(({ id }) => id));
  const rows = found
    .filter(({ id }) => kept.has(id))
    .flatMap(({ id, kind }) => [
      { object_id: objectId, other_object_id: id, kind },
      { object_id: id, other_object_id: objectId, kind },
    ]);
  if (rows.length > 0) await tx.insert(duplicateScreenshots).values(rows).onConflictDoNothing();
}

const duplicates = prepared((connection) =>
  connection
    .select({ id: duplicateScreenshots.object_id })
    .from(duplicateScreenshots)
    .where(eq(duplicateScreenshots.object_id, sql.placeholder("objectId")))
    .limit(1)
    .prepare("duplicates"),
);

/** Returns whether any duplicate of a screenshot is stored. */
export async function existsDuplicate(tx: Transaction, objectId: string): Promise<boolean> {
  const rows = await duplicates(tx).execute({ objectId });
  return rows.length > 0;
}

const lockedScreenshot = prepared((connection) =>
  connection
    .select({ id: storedObjects.id, name: storedObjects.name })
    .from(storedObjects)
    .where(
      and(
        eq(storedObjects.id, sql.placeholder("objectId")),
        eq(storedObjects.bucket, "payment-screenshots"),
        eq(storedObjects.owner_id, sql.placeholder("ownerId")),
      ),
    )
    .for("no key update")
    .prepare("locked_screenshot"),
);

/**
 * Returns a student's own finished screenshot upload, by its id, locked until the transaction ends: no index spans requests and parts, so
 * that of two that take one screenshot at once the second has to see the first.
 */
export async function lockOwnScreenshot(
  tx: Transaction,
  objectId: string,
  ownerId: string,
): Promise<{ id: string; name: string } | undefined> {
  const [row] = await lockedScreenshot(tx).execute({ objectId, ownerId });
  return row;
}

/** Returns whether a viewer with a verified account is the admin or the screenshot's owner (FILE-2). */
export async function mayOpenScreenshot(connection: Connection, viewerId: string, objectId: string): Promise<boolean> {
  // Stryker disable next-line ObjectLiteral: only the number of rows is read.
  const selected = connection.select({ id: accounts.id });
  const rows = await selected
    .from(accounts)
    .innerJoin(storedObjects, eq(storedObjects.id, objectId))
    .where(
      and(
        eq(accounts.id, viewerId),
        isNotNull(accounts.email_verified_at),
        or(eq(accounts.role, "admin"), eq(storedObjects.owner_id, accounts.id)),
      ),
    );
  return rows.length === 1;
}

/** What makes a screenshot one that is used. */
const references = [paymentRequests.screenshot_object_id, parts.screenshot_object_id];

/** Returns the ids of at most `limit` screenshots that were stored before a time and that no payment request has. */
export function findAllUnused(connection: Connection, before: Date, limit: number): Promise<string[]> {
  return findAllUnreferenced(connection, "payment-screenshots", references, before, limit);
}

/** Returns the bytes of a student's screenshots that no payment request has. */
export function unusedBytes(connection: Connection, studentId: string): Promise<number> {
  return unreferencedBytes(connection, "payment-screenshots", references, studentId);
}
