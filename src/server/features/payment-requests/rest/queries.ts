import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { prepared } from "../../../platform/db/prepared.ts";
import { paymentRequestParts as parts, paymentRequests } from "../../../platform/db/schema.ts";
import type { PaymentRequestRow, ViewedRow } from "../queries.ts";

export type PartRow = typeof parts.$inferSelect;

/** A request with its parts, oldest first. */
export type WithParts = ViewedRow & { parts: PartRow[] };

/** Returns the proofs of all requests, those of further parts included. The first of a request has no `part_id`. */
export function proofsOf(connection: Connection, name: string) {
  const first = connection
    .select({
      request_id: paymentRequests.id,
      part_id: sql<string | null>`null::uuid`.as("part_id"),
      object_id: paymentRequests.screenshot_object_id,
      reference: paymentRequests.reference,
      submitted_at: paymentRequests.created_at,
    })
    .from(paymentRequests);
  const further = connection
    .select({
      request_id: parts.payment_request_id,
      part_id: sql<string | null>`${parts.id}`.as("part_id"),
      object_id: parts.screenshot_object_id,
      reference: parts.reference,
      submitted_at: parts.submitted_at,
    })
    .from(parts);
  return first.unionAll(further).as(name);
}

/** Returns a student's requests whose rest is asked for, all of them pending. */
export function findAllAsked(connection: Connection, userId: string): Promise<PaymentRequestRow[]> {
  const { user_id, rest_asked_at } = paymentRequests;
  return connection
    .select()
    .from(paymentRequests)
    .where(and(eq(user_id, userId), isNotNull(rest_asked_at)));
}

/** Stores a part. Throws on a unique index or foreign key of `payment_request_parts`. */
export async function insertPart(tx: Transaction, part: typeof parts.$inferInsert): Promise<PartRow> {
  const [row] = await tx.insert(parts).values(part).returning();
  return row!;
}

const partsOfRequests = prepared((connection) =>
  connection
    .select()
    .from(parts)
    .where(sql`${parts.payment_request_id} = any(${sql.placeholder("requestIds")}::uuid[])`)
    .orderBy(asc(parts.submitted_at), asc(parts.id))
    .prepare("parts_of_requests"),
);

/** Returns a function from a request's id to its parts, oldest first; makes one query for all ids together. */
export async function findParts(connection: Connection, requestIds: string[]): Promise<(requestId: string) => PartRow[]> {
  // Stryker disable next-line ConditionFalse,ArrayDeclaration: saves a query, and no request has that text as its id.
  const rows = requestIds.length === 0 ? [] : await partsOfRequests(connection).execute({ requestIds });
  return (id) => rows.filter(({ payment_request_id }) => payment_request_id === id);
}

/** Adds their parts to requests and returns these; makes one query for all. A copy of each row would take longer than the query. */
export async function withParts<Row extends ViewedRow>(
  connection: Connection,
  rows: readonly Row[],
): Promise<(Row & WithParts)[]> {
  const partsOf = await findParts(
    connection,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => Object.assign(row, { parts: partsOf(row.id) }));
}

/** Returns the part of a request that an idempotency key made. */
export async function findPartByKey(connection: Connection, requestId: string, key: string): Promise<PartRow | undefined> {
  const [row] = await connection
    .select()
    .from(parts)
    .where(and(eq(parts.payment_request_id, requestId), eq(parts.idempotency_key, key)));
  return row;
}

const partsOfScreenshot = prepared((connection) =>
  connection
    .select({ id: parts.id })
    .from(parts)
    .where(eq(parts.screenshot_object_id, sql.placeholder("objectId")))
    .prepare("parts_of_screenshot"),
);

/** Returns whether a part has this screenshot. */
export async function existsPartOfScreenshot(connection: Connection, objectId: string): Promise<boolean> {
  const rows = await partsOfScreenshot(connection).execute({ objectId });
  return rows.length > 0;
}
