import { and, eq, ne, notExists, or, sql } from "drizzle-orm";
import { alias, union } from "drizzle-orm/pg-core";
import type { SlipOutcome } from "#domain/evidence/slip";
import type { SlipCode } from "#domain/payment-methods/thai-bank/slip-code";
import type { Connection } from "../../../platform/db/database.ts";
import { prepared } from "../../../platform/db/prepared.ts";
import { paymentRequests, transferSlips } from "../../../platform/db/schema.ts";
import { proofsOf } from "../rest/queries.ts";
import type { OtherRow } from "./queries.ts";

/** The slip of one proof of a request. */
export interface ProofSlip {
  object_id: string;
  /** Null until the picture was read. */
  outcome: SlipOutcome | null;
  read_at: Date | null;
  code: SlipCode | null;
  /** What the student typed for this proof. */
  typed: string | null;
  /** The request itself first, where another of its proofs is of this transfer; then the oldest first. */
  sharing: OtherRow[];
}

const slips = prepared((connection) => {
  const own = proofsOf(connection, "own");
  const sharing = sharingOf(connection, own);
  return connection
    .select({
      id: paymentRequests.id,
      object_id: sql<string>`${own.object_id}`,
      typed: own.reference,
      outcome: transferSlips.outcome,
      sending_bank: transferSlips.sending_bank,
      reference: transferSlips.reference,
      read_at: transferSlips.read_at,
      payment_request_id: sharing.payment_request_id,
      email: sharing.email,
      status: sharing.status,
      created_at: sharing.created_at,
    })
    .from(paymentRequests)
    .innerJoin(own, eq(own.request_id, paymentRequests.id))
    .leftJoin(transferSlips, eq(transferSlips.object_id, own.object_id))
    .leftJoinLateral(sharing, sql`true`)
    .where(isAmongRequests)
    .orderBy(
      sql`${own.part_id} is not null`,
      own.submitted_at,
      own.part_id,
      sharing.is_other,
      sharing.created_at,
      sharing.payment_request_id,
    )
    .prepare("slips");
});

/**
 * Returns, by the id of a request, the slips of its proofs in the order in which they were sent, each with at most `limit` requests that
 * have another proof of the same transfer: a slip with the same code, or a typed reference that is the slip's. Two requests of one
 * student are not of the same transfer when one of them is rejected (SLIP-4).
 */
export async function findAllSlips(
  connection: Connection,
  requestIds: string[],
  limit: number,
): Promise<Map<string, ProofSlip[]>> {
  const found = new Map<string, ProofSlip[]>();
  if (requestIds.length === 0) return found;
  const rows = await slips(connection).execute({ requestIds, limit });
  for (const { id, object_id, typed, outcome, sending_bank, reference, read_at, ...other } of rows) {
    const ofRequest = found.get(id) ?? [];
    found.set(id, ofRequest);
    const code = sending_bank === null || reference === null ? null : { sending_bank, reference };
    if (ofRequest.at(-1)?.object_id !== object_id) ofRequest.push({ object_id, outcome, read_at, code, typed, sharing: [] });
    if (other.payment_request_id !== null) ofRequest.at(-1)!.sharing.push(other as OtherRow);
  }
  return found;
}

const requestsWithSlip = prepared((connection) => {
  const [own, claimed, typed] = ["own", "claimed", "typed"].map((name) => proofsOf(connection, name)) as [
    Proofs,
    Proofs,
    Proofs,
  ];
  const isTyped = connection
    .select({ request_id: typed.request_id })
    .from(typed)
    .where(and(eq(typed.request_id, otherRequests.id), eq(typed.reference, own.reference)));
  const others = connection
    .select(otherColumns)
    .from(own)
    .innerJoin(otherSlips, eq(otherSlips.reference_form, own.reference))
    .innerJoin(claimed, eq(claimed.object_id, otherSlips.object_id))
    .innerJoin(otherRequests, eq(otherRequests.id, claimed.request_id))
    .where(and(eq(own.request_id, paymentRequests.id), isOtherRequest, notExists(isTyped)))
    .groupBy(otherRequests.id)
    .orderBy(otherRequests.created_at, otherRequests.id)
    .limit(sql.placeholder("limit"))
    .as("with_slip");
  const { payment_request_id, email, status, created_at } = others;
  return connection
    .select({ id: paymentRequests.id, payment_request_id, email, status, created_at })
    .from(paymentRequests)
    .crossJoinLateral(others)
    .where(and(isAmongRequests, eq(paymentRequests.crypto_type, "thai_bank")))
    .orderBy(created_at, payment_request_id)
    .prepare("requests_with_slip");
});

/**
 * Returns, by the id of a bank transfer, at most `limit` other requests of which a slip has a reference that its student typed and
 * whose own students did not type it, oldest first (SLIP-4).
 */
export async function findAllWithSlipOf(
  connection: Connection,
  requestIds: string[],
  limit: number,
): Promise<Map<string, OtherRow[]>> {
  const found = new Map<string, OtherRow[]>();
  if (requestIds.length === 0) return found;
  const rows = await requestsWithSlip(connection).execute({ requestIds, limit });
  for (const { id, ...other } of rows) found.set(id, [...(found.get(id) ?? []), other]);
  return found;
}

const isAmongRequests = sql`${paymentRequests.id} = any(${sql.placeholder("requestIds")}::uuid[])`;

type Proofs = ReturnType<typeof proofsOf>;

const otherRequests = alias(paymentRequests, "others");
const otherSlips = alias(transferSlips, "other_slips");

const otherColumns = {
  payment_request_id: sql<string>`${otherRequests.id}`.as("payment_request_id"),
  email: otherRequests.payer_email,
  status: otherRequests.status,
  created_at: sql`${otherRequests.created_at}`.mapWith(otherRequests.created_at).as("submitted_at"),
};

/** Two requests of one student are not the same transfer when one of them is rejected. */
const isOtherRequest = and(
  ne(otherRequests.id, paymentRequests.id),
  sql`(${otherRequests.user_id} = ${paymentRequests.user_id} and 'rejected' in (${otherRequests.status}, ${paymentRequests.status})) is not true`,
);

/** The requests with another proof of a slip's transfer: two look-ups by index, since one for either would read every request. */
function sharingOf(connection: Connection, own: Proofs) {
  const claimed = proofsOf(connection, "claimed");
  const isOtherProof = or(
    isOtherRequest,
    and(eq(otherRequests.id, paymentRequests.id), sql`${claimed.object_id} <> ${own.object_id}`),
  );
  const columns = { ...otherColumns, is_other: sql<boolean>`${otherRequests.id} <> ${paymentRequests.id}`.as("is_other") };
  const bySlip = connection
    .select(columns)
    .from(otherSlips)
    .innerJoin(claimed, eq(claimed.object_id, otherSlips.object_id))
    .innerJoin(otherRequests, eq(otherRequests.id, claimed.request_id))
    .where(
      and(
        eq(otherSlips.reference_form, transferSlips.reference_form),
        eq(otherSlips.sending_bank, transferSlips.sending_bank),
        isOtherProof,
      ),
    );
  const byTyping = connection
    .select(columns)
    .from(claimed)
    .innerJoin(otherRequests, eq(otherRequests.id, claimed.request_id))
    .where(and(eq(claimed.reference, transferSlips.reference_form), eq(otherRequests.crypto_type, "thai_bank"), isOtherProof));
  return union(bySlip, byTyping)
    .orderBy(sql`is_other`, sql`submitted_at`, sql`payment_request_id`)
    .limit(sql.placeholder("limit"))
    .as("sharing");
}
