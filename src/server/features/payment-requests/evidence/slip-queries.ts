import { and, eq, notExists, or, sql } from "drizzle-orm";
import { alias, union } from "drizzle-orm/pg-core";
import type { SlipOutcome } from "#domain/evidence/slip";
import type { SlipCode } from "#domain/payment-methods/thai-bank/slip-code";
import type { Connection } from "../../../platform/db/database.ts";
import { prepared } from "../../../platform/db/prepared.ts";
import { slipCodes, transferSlips } from "../../../platform/db/schema.ts";
import { proofsOf } from "../rest/queries.ts";
import { own, ownPictures, ownReferences, picturesOf, referencesOf, type OwnProof } from "./own-proofs.ts";
import { isOtherRequest, otherColumns, others, othersById, type OtherRow } from "./queries.ts";

/** What was read on the picture of one proof of a request. */
export interface ProofSlip {
  /** Null until the picture was read. */
  outcome: SlipOutcome | null;
  read_at: Date | null;
  /** Of each code on the picture. */
  transfers: ProofTransfer[];
}

interface ProofTransfer {
  code: SlipCode;
  /** The request itself first, where another of its proofs is of this transfer; then the oldest first. */
  sharing: OtherRow[];
}

const slips = prepared((connection) => {
  const sharing = sharingOf(connection);
  return connection
    .select({
      request_id: own.request_id,
      object_id: own.object_id,
      outcome: transferSlips.outcome,
      sending_bank: slipCodes.sending_bank,
      reference: slipCodes.reference,
      read_at: transferSlips.read_at,
      payment_request_id: sharing.payment_request_id,
      user_id: sharing.user_id,
      email: sharing.email,
      status: sharing.status,
      created_at: sharing.created_at,
    })
    .from(ownPictures)
    .innerJoin(transferSlips, eq(transferSlips.object_id, own.object_id))
    .leftJoin(slipCodes, eq(slipCodes.object_id, transferSlips.object_id))
    .leftJoinLateral(sharing, sql`true`)
    .orderBy(slipCodes.sending_bank, slipCodes.reference_form, sharing.is_other, sharing.created_at, sharing.payment_request_id)
    .prepare("slips");
});

/**
 * Returns a function from a proof to its slip, with at most `limit` requests for each code that have another proof of the same transfer: a slip
 * with the same code, or a typed reference that is the slip's. Two requests of one student are not of the same transfer when one of them is rejected
 * (SLIP-4).
 */
export async function findAllSlips(
  connection: Connection,
  proofs: readonly OwnProof[],
  limit: number,
): Promise<(proof: OwnProof) => ProofSlip | undefined> {
  const values = picturesOf(proofs);
  // Stryker disable next-line ArrayDeclaration: no proof has the key of a text, whose ids are undefined.
  const rows = values === undefined ? [] : await slips(connection).execute({ ...values, limit });
  const found = new Map<string, ProofSlip>();
  for (const {
    outcome,
    sending_bank,
    reference,
    read_at,
    payment_request_id,
    user_id,
    email,
    status,
    created_at,
    ...proof
  } of rows) {
    const slip = found.get(keyOf(proof)) ?? { outcome, read_at, transfers: [] };
    found.set(keyOf(proof), slip);
    // Stryker disable next-line LogicalOperator,LeftOperand,RightOperand: both are null, or neither.
    if (sending_bank === null || reference === null) continue;
    const transfer = transferOf(slip, { sending_bank, reference });
    if (payment_request_id !== null)
      transfer.sharing.push({ payment_request_id, user_id, email, status, created_at } as OtherRow);
  }
  return (proof) => found.get(keyOf(proof));
}

/** Returns the transfer of a code on a picture, and adds it first where it is new. */
function transferOf({ transfers }: ProofSlip, code: SlipCode): ProofTransfer {
  const known = transfers.find((one) => one.code.sending_bank === code.sending_bank && one.code.reference === code.reference);
  if (known) return known;
  const added = { code, sharing: [] };
  transfers.push(added);
  return added;
}

/** A rejected request and the one that submits it again have the same picture. */
function keyOf({ request_id, object_id }: Pick<OwnProof, "request_id" | "object_id">): string {
  return `${request_id} ${object_id}`;
}

const requestsWithSlip = prepared((connection) => {
  const [claimed, typed] = [proofsOf(connection, "claimed"), proofsOf(connection, "typed")];
  const isTyped = connection
    // Stryker disable next-line ObjectLiteral: it is only asked whether there is a row.
    .select({ request_id: typed.request_id })
    .from(typed)
    .where(and(eq(typed.request_id, others.id), eq(typed.reference, own.reference)));
  const inOrder = connection
    .select(otherColumns)
    .from(otherCodes)
    .innerJoin(claimed, eq(claimed.object_id, otherCodes.object_id))
    .innerJoin(others, eq(others.id, claimed.request_id))
    .where(
      and(
        eq(otherCodes.reference_form, own.reference),
        isOtherRequest(connection),
        // Leaves out the request itself too, for which it was typed.
        notExists(isTyped),
      ),
    )
    .groupBy(others.id)
    .orderBy(others.created_at, others.id);
  // Stryker disable next-line Query: saves rows, of which `othersById` keeps as many.
  const withSlip = inOrder.limit(sql.placeholder("limit")).as("with_slip");
  const { payment_request_id, user_id, email, status, created_at } = withSlip;
  return connection
    .select({ id: own.request_id, payment_request_id, user_id, email, status, created_at })
    .from(ownReferences)
    .crossJoinLateral(withSlip)
    .orderBy(created_at, payment_request_id)
    .prepare("requests_with_slip");
});

/**
 * Returns, by the id of a bank transfer, at most `limit` other requests, oldest first: those with a slip that carries the reference typed for
 * this transfer, although their own students did not type it (SLIP-4).
 */
export async function findAllWithSlipOf(
  connection: Connection,
  proofs: readonly OwnProof[],
  limit: number,
): Promise<Map<string, OtherRow[]>> {
  const values = referencesOf(proofs);
  // Stryker disable next-line ArrayDeclaration: no request has the id of a text, which is undefined.
  return othersById(values === undefined ? [] : await requestsWithSlip(connection).execute({ ...values, limit }), limit);
}

const otherCodes = alias(slipCodes, "other_codes");

/** The requests with another proof of a code's transfer: two look-ups by index, since one for either would read every request. */
function sharingOf(connection: Connection) {
  const claimed = proofsOf(connection, "claimed");
  const isOtherProof = and(
    // A request that was submitted again has the rejected one's picture.
    sql`${claimed.object_id} is distinct from ${own.object_id}`,
    or(eq(claimed.request_id, own.request_id), isOtherRequest(connection)),
  );
  const columns = { ...otherColumns, is_other: sql<boolean>`${claimed.request_id} <> ${own.request_id}`.as("is_other") };
  const bySlip = connection
    .select(columns)
    .from(otherCodes)
    .innerJoin(claimed, eq(claimed.object_id, otherCodes.object_id))
    .innerJoin(others, eq(others.id, claimed.request_id))
    .where(
      and(
        eq(otherCodes.reference_form, slipCodes.reference_form),
        eq(otherCodes.sending_bank, slipCodes.sending_bank),
        isOtherProof,
      ),
    );
  const byTyping = connection
    .select(columns)
    .from(claimed)
    .innerJoin(others, eq(others.id, claimed.request_id))
    .where(and(eq(claimed.reference, slipCodes.reference_form), eq(others.crypto_type, "thai_bank"), isOtherProof));
  return union(bySlip, byTyping)
    .orderBy(sql`is_other`, sql`submitted_at`, sql`payment_request_id`)
    .limit(sql.placeholder("limit"))
    .as("sharing");
}
