import { and, eq, inArray, isNotNull, ne, sql } from "drizzle-orm";
import { alias, union } from "drizzle-orm/pg-core";
import type { SlipOutcome } from "#domain/evidence/slip";
import type { SlipCode } from "#domain/payment-methods/thai-bank/slip-code";
import type { Connection } from "../../../platform/db/database.ts";
import { paymentRequests, transferSlips } from "../../../platform/db/schema.ts";
import type { OtherRow } from "./queries.ts";

export interface ReadSlip {
  outcome: SlipOutcome;
  code: SlipCode | null;
  read_at: Date;
  /** Oldest first. */
  others: OtherRow[];
}

/**
 * Returns, by the id of a request, what was read from its slip, with at most `limit` other requests of the same transfer: their slip has
 * the same code, or their student typed its reference. Two requests of one student are not the same transfer when one of them is
 * rejected (SLIP-4). A request whose slip was not read yet is left out.
 */
export async function findAllSlips(
  connection: Connection,
  requestIds: string[],
  limit: number,
): Promise<Map<string, ReadSlip>> {
  const found = new Map<string, ReadSlip>();
  if (requestIds.length === 0) return found;
  const others = othersOf(connection, limit);
  const rows = await connection
    .select({
      id: paymentRequests.id,
      outcome: transferSlips.outcome,
      sending_bank: transferSlips.sending_bank,
      reference: transferSlips.reference,
      read_at: transferSlips.read_at,
      payment_request_id: others.payment_request_id,
      email: others.email,
      status: others.status,
      created_at: others.created_at,
    })
    .from(paymentRequests)
    .innerJoin(transferSlips, eq(transferSlips.object_id, paymentRequests.screenshot_object_id))
    .leftJoinLateral(others, sql`true`)
    .where(and(inArray(paymentRequests.id, requestIds), isNotNull(transferSlips.outcome)))
    .orderBy(others.created_at, others.payment_request_id);
  for (const { id, outcome, sending_bank, reference, read_at, ...other } of rows) {
    if (outcome === null || read_at === null) continue;
    const code = sending_bank === null || reference === null ? null : { sending_bank, reference };
    const slip = found.get(id) ?? { outcome, code, read_at, others: [] };
    if (other.payment_request_id !== null) slip.others.push(other as OtherRow);
    found.set(id, slip);
  }
  return found;
}

/**
 * Returns, by the id of a bank transfer, at most `limit` other requests whose slip has the reference that its student typed and whose
 * own students did not type it, oldest first (SLIP-4).
 */
export async function findAllWithSlipOf(
  connection: Connection,
  requestIds: string[],
  limit: number,
): Promise<Map<string, OtherRow[]>> {
  const found = new Map<string, OtherRow[]>();
  if (requestIds.length === 0) return found;
  const others = connection
    .select(otherColumns)
    .from(otherSlips)
    .innerJoin(otherRequests, eq(otherRequests.screenshot_object_id, otherSlips.object_id))
    .where(
      and(
        eq(otherSlips.reference_form, paymentRequests.reference),
        sql`${otherRequests.reference} is distinct from ${paymentRequests.reference}`,
        isOther,
      ),
    )
    .orderBy(otherRequests.created_at, otherRequests.id)
    .limit(limit)
    .as("with_slip");
  const { payment_request_id, email, status, created_at } = others;
  const rows = await connection
    .select({ id: paymentRequests.id, payment_request_id, email, status, created_at })
    .from(paymentRequests)
    .crossJoinLateral(others)
    .where(and(inArray(paymentRequests.id, requestIds), eq(paymentRequests.crypto_type, "thai_bank")))
    .orderBy(created_at, payment_request_id);
  for (const { id, ...other } of rows) found.set(id, [...(found.get(id) ?? []), other]);
  return found;
}

const otherRequests = alias(paymentRequests, "others");
const otherSlips = alias(transferSlips, "other_slips");

const otherColumns = {
  payment_request_id: sql<string>`${otherRequests.id}`.as("payment_request_id"),
  email: otherRequests.payer_email,
  status: otherRequests.status,
  created_at: sql`${otherRequests.created_at}`.mapWith(otherRequests.created_at).as("submitted_at"),
};

/** Two requests of one student are not the same transfer when one of them is rejected. */
const isOther = and(
  ne(otherRequests.id, paymentRequests.id),
  sql`(${otherRequests.user_id} = ${paymentRequests.user_id} and 'rejected' in (${otherRequests.status}, ${paymentRequests.status})) is not true`,
);

/** The other requests of a request's transfer: two look-ups by index, since one for either would read every request. */
function othersOf(connection: Connection, limit: number) {
  const bySlip = connection
    .select(otherColumns)
    .from(otherSlips)
    .innerJoin(otherRequests, eq(otherRequests.screenshot_object_id, otherSlips.object_id))
    .where(
      and(
        eq(otherSlips.reference_form, transferSlips.reference_form),
        eq(otherSlips.sending_bank, transferSlips.sending_bank),
        isOther,
      ),
    );
  const byTyping = connection
    .select(otherColumns)
    .from(otherRequests)
    .where(and(eq(otherRequests.reference, transferSlips.reference_form), eq(otherRequests.crypto_type, "thai_bank"), isOther));
  return union(bySlip, byTyping)
    .orderBy(sql`submitted_at`, sql`payment_request_id`)
    .limit(limit)
    .as("others_of_slip");
}
