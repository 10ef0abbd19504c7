import type { Rejection, ReviewedPaymentRequest } from "#domain/api/payment-requests";
import { ProductError } from "#domain/errors/messages";
import { rounded } from "#domain/money";
import { paymentMethod } from "#domain/payment-methods/methods";
import { isDowngrade, type SubscriptionStatus } from "#domain/packages";
import { canDecide } from "#domain/payments/payment-request";
import { isPartOf, transferOf } from "#domain/payments/transfer";
import { receiptNumber } from "#domain/payments/receipt";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor } from "../../platform/audit.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { lockTier, updateTier } from "../users/service.ts";
import { throwRefusal } from "./evidence/disputes.ts";
import { approvedMail, rejectedMail } from "./mail.ts";
import * as queries from "./queries.ts";
import { reviewedViews } from "./review.ts";

/** The admin who decides. */
export interface Decider {
  actor: Actor;
  /** Where links in mails lead to; undefined when the request's own origin is not trusted. */
  origin: string | undefined;
}

/**
 * Approves a pending request: sets exactly its package as the student's tier and numbers the receipt, in one transaction
 * (PACKAGE-3, DECIDE-1, DECIDE-4). Returns the decided request. Throws `payment_request_not_found`, `payment_request_decided` (with
 * who decided), `user_not_found` when the account is deleted (DECIDE-3), `downgrade_unconfirmed` unless `confirmDowngrade`, and
 * `reference_approved` when another request with its reference was approved (EVIDENCE-2).
 */
export async function approvePaymentRequest(
  deps: Dependencies,
  decider: Decider,
  id: string,
  confirmDowngrade: boolean,
): Promise<ReviewedPaymentRequest> {
  const row = await transaction(deps.db, (tx) => writeApproval(deps, tx, decider, id, confirmDowngrade)).catch(
    (error: unknown) => throwRefusal(deps.db, id, error),
  );
  return reviewedView(deps, row);
}

async function writeApproval(
  deps: Dependencies,
  tx: Transaction,
  decider: Decider,
  id: string,
  confirmDowngrade: boolean,
): Promise<queries.ReviewedRow> {
  const { request, tier } = await lockPending(tx, id);
  const { user_id, package_type } = request;
  if (user_id === null || tier === undefined) throw new ProductError("user_not_found");
  if (isDowngrade(tier, package_type) && !confirmDowngrade) throw new ProductError("downgrade_unconfirmed");
  const now = deps.clock.now();
  const year = now.getUTCFullYear();
  const row = await queries.updateDecision(tx, id, {
    status: "approved",
    decided_at: now,
    decided_by: decider.actor.email,
    rejection_reason: null,
    amount_received: null,
    receipt_number: receiptNumber(year, await queries.incrementReceiptCounter(tx, year)),
    approval_seen_at: null,
  });
  await updateTier(tx, user_id, package_type);
  await audit(tx, decider, row, { user_id, tier_before: tier, tier_after: package_type });
  await deps.outbox.enqueue(tx, approvedMail({ site: deps.config.site, origin: decider.origin }, row));
  return { ...row, payer_tier: package_type };
}

/**
 * Rejects a pending request with a reason that the student reads (DECIDE-2) and, where too little has arrived, with how much (DECIDE-7).
 * Returns the decided request. Throws `payment_request_not_found`, `payment_request_decided` (with who decided) or
 * `amount_received_invalid`.
 */
export async function rejectPaymentRequest(
  deps: Dependencies,
  decider: Decider,
  id: string,
  rejection: Rejection,
): Promise<ReviewedPaymentRequest> {
  const row = await transaction(deps.db, (tx) => writeRejection(deps, tx, decider, id, rejection));
  return reviewedView(deps, row);
}

async function writeRejection(
  deps: Dependencies,
  tx: Transaction,
  decider: Decider,
  id: string,
  { reason, amount_received: typed }: Rejection,
): Promise<queries.ReviewedRow> {
  const { request, tier } = await lockPending(tx, id);
  const received = typed ? amountReceived(request, typed) : null;
  const row = await queries.updateDecision(tx, id, {
    status: "rejected",
    decided_at: deps.clock.now(),
    decided_by: decider.actor.email,
    rejection_reason: reason,
    amount_received: received,
    receipt_number: null,
    approval_seen_at: null,
  });
  await audit(tx, decider, row, { user_id: request.user_id, reason, ...(received !== null && { amount_received: received }) });
  await deps.outbox.enqueue(tx, rejectedMail({ site: deps.config.site, origin: decider.origin }, row));
  return { ...row, payer_tier: tier ?? null };
}

/** Returns what has arrived, with all the decimals of the payment's method. Throws `amount_received_invalid`. */
function amountReceived(request: queries.PaymentRequestRow, typed: string): string {
  const transfer = transferOf(request);
  if (!transfer || !isPartOf(transfer, typed)) throw new ProductError("amount_received_invalid");
  return rounded(typed, paymentMethod(transfer.crypto_type).places);
}

async function reviewedView(deps: Dependencies, row: queries.ReviewedRow): Promise<ReviewedPaymentRequest> {
  const [view] = await reviewedViews(deps, [row]);
  return view!;
}

interface Pending {
  request: queries.PaymentRequestRow;
  /** The payer's; undefined once the account is deleted. */
  tier: SubscriptionStatus | undefined;
}

/**
 * Returns a pending request and its payer's tier, both locked. The payer is locked first, as when a user is deleted, so that the two
 * never deadlock.
 */
async function lockPending(tx: Transaction, id: string): Promise<Pending> {
  const seen = await queries.findById(tx, id);
  if (!seen) throw new ProductError("payment_request_not_found");
  const tier = seen.user_id === null ? undefined : await lockTier(tx, seen.user_id);
  const request = await queries.lockById(tx, id);
  if (!request) throw new ProductError("payment_request_not_found");
  if (!canDecide(request.status)) {
    throw new ProductError("payment_request_decided", {
      text: `This payment request was already ${request.status} by ${request.decided_by}.`,
    });
  }
  return { request, tier };
}

function audit(
  tx: Transaction,
  { actor }: Decider,
  { id, status, decided_at }: queries.PaymentRequestRow,
  details: Record<string, unknown>,
): Promise<void> {
  const action = status === "approved" ? "payment-request.approve" : "payment-request.reject";
  return recordAudit(tx, actor, { at: decided_at!, action, subject: { type: "payment-request", id }, details });
}
