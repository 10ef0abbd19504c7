import { and, eq, ne, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { PaymentStatus } from "#domain/payments/payment-request";
import type { Connection } from "../../../platform/db/database.ts";
import { prepared } from "../../../platform/db/prepared.ts";
import { paymentRequests } from "../../../platform/db/schema.ts";
import { proofsOf } from "../rest/queries.ts";
import { own, ownReferences, referencesOf, type OwnProof } from "./own-proofs.ts";

export interface OtherRow {
  payment_request_id: string;
  user_id: string | null;
  email: string;
  status: PaymentStatus;
  created_at: Date;
}

const mine = alias(paymentRequests, "mine");

/** The other requests that evidence names. */
export const others = alias(paymentRequests, "others");

export const otherColumns = {
  payment_request_id: sql<string>`${others.id}`.as("payment_request_id"),
  user_id: others.user_id,
  email: others.payer_email,
  status: others.status,
  created_at: sql`${others.created_at}`.mapWith(others.created_at).as("submitted_at"),
};

/**
 * Returns a condition on another request and the one of the proof, `mine`: two of one student are not the same transfer when one of them is
 * rejected. Where accounts are deleted, the address of the submit tells whose they were. A subquery: a join would read the request of each proof, though few have another.
 */
export function isOtherRequest(connection: Connection, condition?: SQL): SQL {
  const isSameStudent = sql`case when ${mine.user_id} is null and ${others.user_id} is null
    then ${mine.payer_email} = ${others.payer_email} else ${mine.user_id} = ${others.user_id} end`;
  const isOfRejected = sql`${isSameStudent} and 'rejected' in (${mine.status}, ${others.status})`;
  const is = and(condition, sql`(${isOfRejected}) is not true`);
  return sql`(${connection
    .select({ is: sql`${is}` })
    .from(mine)
    .where(eq(mine.id, own.request_id))})`;
}

const disputes = prepared((connection) => {
  const claimed = proofsOf(connection, "claimed");
  const inOrder = connection
    .select(otherColumns)
    .from(claimed)
    .innerJoin(others, eq(others.id, claimed.request_id))
    .where(
      and(
        eq(claimed.reference, own.reference),
        ne(claimed.request_id, own.request_id),
        isOtherRequest(connection, eq(mine.crypto_type, others.crypto_type)),
      ),
    )
    .groupBy(others.id)
    .orderBy(sql`${others.status} = 'approved' desc`, others.created_at, others.id);
  // Stryker disable next-line Query: saves rows, of which `othersById` keeps as many.
  const disputing = inOrder.limit(sql.placeholder("limit")).as("disputing");
  const { payment_request_id, user_id, email, status, created_at } = disputing;
  return connection
    .select({ id: own.request_id, payment_request_id, user_id, email, status, created_at })
    .from(ownReferences)
    .crossJoinLateral(disputing)
    .orderBy(sql`${status} = 'approved' desc`, created_at, payment_request_id)
    .prepare("disputes");
});

/**
 * Returns, by the id of a request, at most `limit` other requests with one of its references: the approved one first, then the oldest first.
 * Two requests of one student do not dispute when one of them is rejected (EVIDENCE-2).
 */
export async function findAllDisputes(
  connection: Connection,
  proofs: readonly OwnProof[],
  limit: number,
): Promise<Map<string, OtherRow[]>> {
  const values = referencesOf(proofs);
  // Stryker disable next-line ArrayDeclaration: no request has the id of a text, which is undefined.
  return othersById(values === undefined ? [] : await disputes(connection).execute({ ...values, limit }), limit);
}

/** Returns, by the id of a request, the first `limit` others of its proofs, each once. */
export function othersById<Row extends OtherRow>(rows: readonly (Row & { id: string })[], limit: number) {
  const found = new Map<string, Omit<Row & { id: string }, "id">[]>();
  for (const { id, ...other } of rows) {
    const ofRequest = found.get(id) ?? [];
    const isKnown = ofRequest.some(({ payment_request_id }) => payment_request_id === other.payment_request_id);
    if (!isKnown && ofRequest.length < limit) found.set(id, [...ofRequest, other]);
  }
  return found;
}
