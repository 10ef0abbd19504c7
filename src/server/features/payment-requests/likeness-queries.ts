import { and, arrayOverlaps, desc, eq, inArray, isNotNull, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { mostScreenshotMatches, type LikenessKind, type PaymentStatus } from "#domain/payment-request";
import { oppositeEdges } from "#domain/picture-likeness";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { lockKeys } from "../../platform/db/locks.ts";
import {
  paymentRequests,
  screenshotFingerprints as fingerprints,
  screenshotLikenesses as likenesses,
  storedObjects,
} from "../../platform/db/schema.ts";

export type Fingerprint = Omit<typeof fingerprints.$inferSelect, "object_id">;

/** Two uploads of one picture that end at once take turns until the transaction ends, so that the second finds the first. */
export async function waitForTurn(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${lockKeys.screenshotComparison})`);
}

export async function insertFingerprint(tx: Transaction, objectId: string, fingerprint: Fingerprint): Promise<void> {
  await tx.insert(fingerprints).values({ ...fingerprint, object_id: objectId });
}

export async function findFingerprint(tx: Transaction, objectId: string): Promise<Fingerprint | undefined> {
  const [row] = await tx.select().from(fingerprints).where(eq(fingerprints.object_id, objectId));
  return row;
}

/** When the payment request was made that has a screenshot; null while none has. A look-up a row: a join would read all requests. */
const usedAt = sql`(select ${paymentRequests.created_at} from ${paymentRequests} where ${paymentRequests.screenshot_object_id} = ${fingerprints.object_id})`;

/** A screenshot like another, and whether a payment request has it. */
export interface Alike {
  id: string;
  isUsed: boolean;
}

/** Other screenshots of the same bytes, first those that a payment request has, newest first. */
export async function sameFiles(tx: Transaction, objectId: string, sha256: Buffer, limit: number): Promise<Alike[]> {
  return tx
    .select({ id: fingerprints.object_id, isUsed: sql<boolean>`${usedAt} is not null` })
    .from(fingerprints)
    .where(and(eq(fingerprints.sha256, sha256), ne(fingerprints.object_id, objectId)))
    .orderBy(sql`${usedAt} desc nulls last`)
    .limit(limit);
}

/**
 * Other screenshots that look alike from afar, the likeliest copies first: by the index those of one template, then by the edges
 * that tell two apart, and among nearly equal ones those that a payment request has.
 */
export async function likelyCopies(
  tx: Transaction,
  objectId: string,
  { bands, edges }: { bands: number[]; edges: string },
  limit: number,
): Promise<(Alike & { picture: Buffer })[]> {
  const apart = sql`bit_count(${fingerprints.edges} & ${oppositeEdges(edges)})`;
  const rows = await tx
    .select({ id: fingerprints.object_id, picture: fingerprints.picture, isUsed: sql<boolean>`${usedAt} is not null` })
    .from(fingerprints)
    .where(and(arrayOverlaps(fingerprints.bands, bands), ne(fingerprints.object_id, objectId)))
    .orderBy(sql`${apart} / 4`, sql`${usedAt} desc nulls last`)
    .limit(limit);
  return rows.flatMap(({ picture, ...row }) => (picture === null ? [] : [{ ...row, picture }]));
}

/** Writes likenesses in both directions, once, without those of screenshots that are being deleted. */
export async function insertLikenesses(
  tx: Transaction,
  objectId: string,
  found: readonly { id: string; kind: LikenessKind }[],
): Promise<void> {
  if (found.length === 0) return;
  const ids = found.map(({ id }) => id);
  const there = await tx
    .select({ id: storedObjects.id })
    .from(storedObjects)
    .where(inArray(storedObjects.id, ids))
    .orderBy(storedObjects.id)
    .for("key share");
  const kept = new Set(there.map(({ id }) => id));
  const rows = found
    .filter(({ id }) => kept.has(id))
    .flatMap(({ id, kind }) => [
      { object_id: objectId, other_object_id: id, kind },
      { object_id: id, other_object_id: objectId, kind },
    ]);
  if (rows.length > 0) await tx.insert(likenesses).values(rows).onConflictDoNothing();
}

export async function hasLikeness(tx: Transaction, objectId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: likenesses.object_id })
    .from(likenesses)
    .where(eq(likenesses.object_id, objectId))
    .limit(1);
  return rows.length > 0;
}

export interface MatchRow {
  payment_request_id: string;
  kind: LikenessKind;
  email: string;
  status: PaymentStatus;
  created_at: Date;
}

/** Of some requests, by their ids, the newest others whose screenshots are like theirs. */
export async function matchesOf(connection: Connection, requestIds: string[]): Promise<Map<string, MatchRow[]>> {
  const found = new Map<string, MatchRow[]>();
  if (requestIds.length === 0) return found;
  const others = alias(paymentRequests, "others");
  const newest = connection
    .select({
      payment_request_id: sql<string>`${others.id}`.as("payment_request_id"),
      kind: likenesses.kind,
      email: others.payer_email,
      status: others.status,
      created_at: sql`${others.created_at}`.mapWith(others.created_at).as("matched_at"),
    })
    .from(likenesses)
    .innerJoin(others, eq(others.screenshot_object_id, likenesses.other_object_id))
    .where(eq(likenesses.object_id, paymentRequests.screenshot_object_id))
    .orderBy(desc(others.created_at), desc(others.id))
    .limit(mostScreenshotMatches)
    .as("newest");
  const rows = await connection
    .select({
      id: paymentRequests.id,
      payment_request_id: newest.payment_request_id,
      kind: newest.kind,
      email: newest.email,
      status: newest.status,
      created_at: newest.created_at,
    })
    .from(paymentRequests)
    .crossJoinLateral(newest)
    .where(inArray(paymentRequests.id, requestIds))
    .orderBy(desc(newest.created_at), desc(newest.payment_request_id));
  for (const { id, ...match } of rows) found.set(id, [...(found.get(id) ?? []), match]);
  return found;
}

/** Returns the ids of those requests whose screenshot has a picture that others can be compared with. */
export async function findComparable(connection: Connection, requestIds: string[]): Promise<Set<string>> {
  if (requestIds.length === 0) return new Set();
  const rows = await connection
    .select({ id: paymentRequests.id })
    .from(paymentRequests)
    .innerJoin(fingerprints, eq(fingerprints.object_id, paymentRequests.screenshot_object_id))
    .where(and(inArray(paymentRequests.id, requestIds), isNotNull(fingerprints.bands)));
  return new Set(rows.map(({ id }) => id));
}
