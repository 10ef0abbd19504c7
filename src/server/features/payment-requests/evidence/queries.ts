import { and, eq, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { PaymentStatus } from "#domain/payments/payment-request";
import type { Connection } from "../../../platform/db/database.ts";
import { prepared } from "../../../platform/db/prepared.ts";
import { paymentRequests } from "../../../platform/db/schema.ts";
import { proofsOf } from "../rest/queries.ts";

export interface OtherRow {
  payment_request_id: string;
  email: string;
  status: PaymentStatus;
  created_at: Date;
}

const disputes = prepared((connection) => {
  const others = alias(paymentRequests, "others");
  const [own, claimed] = [proofsOf(connection, "own"), proofsOf(connection, "claimed")];
  const disputing = connection
    .select({
      payment_request_id: sql<string>`${others.id}`.as("payment_request_id"),
      email: others.payer_email,
      status: others.status,
      created_at: sql`${others.created_at}`.mapWith(others.created_at).as("submitted_at"),
    })
    .from(own)
    .innerJoin(claimed, eq(claimed.reference, own.reference))
    .innerJoin(others, eq(others.id, claimed.request_id))
    .where(
      and(
        eq(own.request_id, paymentRequests.id),
        eq(others.crypto_type, paymentRequests.crypto_type),
        ne(others.id, paymentRequests.id),
        sql`(${others.user_id} = ${paymentRequests.user_id} and 'rejected' in (${others.status}, ${paymentRequests.status})) is not true`,
      ),
    )
    .groupBy(others.id)
    .orderBy(sql`${others.status} = 'approved' desc`, others.created_at, others.id)
    .limit(sql.placeholder("limit"))
    .as("disputing");
  return connection
    .select({
      id: paymentRequests.id,
      payment_request_id: disputing.payment_request_id,
      email: disputing.email,
      status: disputing.status,
      created_at: disputing.created_at,
    })
    .from(paymentRequests)
    .crossJoinLateral(disputing)
    .where(sql`${paymentRequests.id} = any(${sql.placeholder("requestIds")}::uuid[])`)
    .orderBy(sql`${disputing.status} = 'approved' desc`, disputing.created_at, disputing.payment_request_id)
    .prepare("disputes");
});

/**
 * Returns, by the id of a request, at most `limit` other requests with one of its references: the approved one first, then the oldest first.
 * Two requests of one student do not dispute when one of them is rejected (EVIDENCE-2).
 */
export async function findAllDisputes(
  connection: Connection,
  requestIds: string[],
  limit: number,
): Promise<Map<string, OtherRow[]>> {
  const found = new Map<string, OtherRow[]>();
  if (requestIds.length === 0) return found;
  const rows = await disputes(connection).execute({ requestIds, limit });
  for (const { id, ...other } of rows) found.set(id, [...(found.get(id) ?? []), other]);
  return found;
}
