import { asc, eq, sql } from "drizzle-orm";
import { maxOtherRequests } from "#domain/evidence/shape";
import type { DuplicateKind } from "#domain/payments/payment-request";
import type { Connection } from "../../../platform/db/database.ts";
import { arrayOf, prepared } from "../../../platform/db/prepared.ts";
import { duplicateScreenshots, screenshotFingerprints as fingerprints } from "../../../platform/db/schema.ts";
import { own, ownPictures, picturesOf, type OwnProof } from "../evidence/own-proofs.ts";
import { otherColumns, others, othersById, type OtherRow } from "../evidence/queries.ts";
import { proofsOf } from "../rest/queries.ts";

export interface MatchRow extends OtherRow {
  kind: DuplicateKind;
}

const matches = prepared((connection) => {
  const used = proofsOf(connection, "used");
  const found = connection
    .select({ ...otherColumns, kind: sql<DuplicateKind>`min(${duplicateScreenshots.kind})`.as("kind") })
    .from(duplicateScreenshots)
    .innerJoin(used, eq(used.object_id, duplicateScreenshots.other_object_id))
    .innerJoin(others, eq(others.id, used.request_id))
    .where(eq(duplicateScreenshots.object_id, own.object_id))
    .groupBy(others.id)
    .orderBy(sql`${others.status} = 'approved' desc`, others.created_at, others.id);
  // Stryker disable next-line Query: saves rows, of which `othersById` takes no more either.
  const first = found.limit(maxOtherRequests).as("first");
  const { payment_request_id, kind, user_id, email, status, created_at } = first;
  return (
    connection
      .select({ id: own.request_id, payment_request_id, kind, user_id, email, status, created_at })
      .from(ownPictures)
      .crossJoinLateral(first)
      // The same file comes first in the alphabet, where two requests share more than one picture.
      .orderBy(sql`${status} = 'approved' desc`, created_at, payment_request_id, asc(kind))
      .prepare("screenshot_matches")
  );
});

/**
 * Returns, by the id of a request, the first requests that have a duplicate of one of its screenshots; itself, where two of its own are. The
 * approved ones come first, then the oldest.
 */
export async function findAllMatches(connection: Connection, proofs: readonly OwnProof[]): Promise<Map<string, MatchRow[]>> {
  const values = picturesOf(proofs);
  if (values === undefined) return new Map();
  return othersById(await matches(connection).execute(values), maxOtherRequests);
}

const comparableIds = prepared((connection) =>
  connection
    .select({ id: fingerprints.object_id })
    .from(fingerprints)
    .where(sql`${fingerprints.object_id} = any(${arrayOf("objectIds", "uuid")}) and ${fingerprints.bands} is not null`)
    .prepare("comparable_screenshots"),
);

/** Returns the ids of those screenshots that have a perceptual fingerprint. */
export async function findAllComparable(
  connection: Connection,
  proofs: readonly OwnProof[],
): Promise<ReadonlySet<string | null>> {
  const values = picturesOf(proofs);
  if (values === undefined) return new Set();
  const rows = await comparableIds(connection).execute(values);
  return new Set(rows.map(({ id }) => id));
}
