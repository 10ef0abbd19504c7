import { desc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { mostScreenshotMatches } from "#domain/evidence/screenshot";
import type { DuplicateKind, PaymentStatus } from "#domain/payments/payment-request";
import type { Connection } from "../../../platform/db/database.ts";
import { prepared } from "../../../platform/db/prepared.ts";
import { duplicateScreenshots, paymentRequests, screenshotFingerprints as fingerprints } from "../../../platform/db/schema.ts";
import { proofsOf } from "../rest/queries.ts";

export interface MatchRow {
  payment_request_id: string;
  kind: DuplicateKind;
  email: string;
  status: PaymentStatus;
  created_at: Date;
}

const matches = prepared((connection) => {
  const others = alias(paymentRequests, "others");
  const [own, used] = [proofsOf(connection, "own"), proofsOf(connection, "used")];
  const newest = connection
    .select({
      payment_request_id: sql<string>`${others.id}`.as("payment_request_id"),
      // The same file comes first in the alphabet, where two requests share more than one picture.
      kind: sql<DuplicateKind>`min(${duplicateScreenshots.kind})`.as("kind"),
      email: others.payer_email,
      status: others.status,
      created_at: sql`${others.created_at}`.mapWith(others.created_at).as("matched_at"),
    })
    .from(own)
    .innerJoin(duplicateScreenshots, eq(duplicateScreenshots.object_id, own.object_id))
    .innerJoin(used, eq(used.object_id, duplicateScreenshots.other_object_id))
    .innerJoin(others, eq(others.id, used.request_id))
    .where(eq(own.request_id, paymentRequests.id))
    .groupBy(others.id)
    .orderBy(desc(others.created_at), desc(others.id))
    .limit(mostScreenshotMatches)
    .as("newest");
  return connection
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
    .where(sql`${paymentRequests.id} = any(${sql.placeholder("requestIds")}::uuid[])`)
    .orderBy(desc(newest.created_at), desc(newest.payment_request_id))
    .prepare("screenshot_matches");
});

/** Returns, by the id of a request, the newest requests that have a duplicate of one of its screenshots; itself, where two of its own are. */
export async function findAllMatches(connection: Connection, requestIds: string[]): Promise<Map<string, MatchRow[]>> {
  const found = new Map<string, MatchRow[]>();
  if (requestIds.length === 0) return found;
  const rows = await matches(connection).execute({ requestIds });
  for (const { id, ...match } of rows) found.set(id, [...(found.get(id) ?? []), match]);
  return found;
}

const comparableIds = prepared((connection) => {
  const own = proofsOf(connection, "own");
  return connection
    .select({ id: own.request_id })
    .from(own)
    .leftJoin(fingerprints, eq(fingerprints.object_id, own.object_id))
    .where(sql`${own.request_id} = any(${sql.placeholder("requestIds")}::uuid[])`)
    .groupBy(own.request_id)
    .having(sql`bool_and(${fingerprints.bands} is not null)`)
    .prepare("comparable_requests");
});

/** Returns the ids of those requests whose screenshots all have a perceptual fingerprint. */
export async function findAllComparableIds(connection: Connection, requestIds: string[]): Promise<Set<string>> {
  const rows = requestIds.length === 0 ? [] : await comparableIds(connection).execute({ requestIds });
  return new Set(rows.map(({ id }) => id));
}
