import type { ReviewedPaymentRequest } from "#domain/api/payment-requests";
import { ProductError } from "#domain/messages";
import { isDowngrade, type SubscriptionStatus } from "#domain/packages";
import { canDecide } from "#domain/payment-request";
import { receiptNumber } from "#domain/receipt";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor } from "../../platform/audit.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { approvedMail, rejectedMail } from "./mail.ts";
import * as queries from "./queries.ts";
import { shownToAdmin } from "./shown.ts";

/** The admin who decides, and where links in mails lead to (undefined when that is not to be trusted). */
export interface Decider {
  actor: Actor;
  origin: string | undefined;
}

/**
 * Approves a pending request, sets exactly its package as the student's tier and gives the payment its receipt's number, in one
 * transaction (PACKAGE-3, DECIDE-1).
 * Throws `payment_request_not_found`, `payment_request_decided` (saying who decided), `user_not_found` when the account is
 * gone, and `downgrade_unconfirmed` unless `confirmDowngrade`.
 */
export function approvePaymentRequest(
  deps: Dependencies,
  { actor, origin }: Decider,
  id: string,
  confirmDowngrade: boolean,
): Promise<ReviewedPaymentRequest> {
  return transaction(deps.db, async (tx) => {
    const { request, tier } = await takePending(tx, id);
    if (request.user_id === null || tier === undefined) throw new ProductError("user_not_found");
    if (isDowngrade(tier, request.package_type) && !confirmDowngrade) throw new ProductError("downgrade_unconfirmed");
    const now = deps.clock.now();
    const row = await queries.decide(tx, id, {
      status: "approved",
      decided_at: now,
      decided_by: actor.email,
      rejection_reason: null,
      receipt_number: receiptNumber(now.getUTCFullYear(), await queries.takeReceiptPlace(tx, now.getUTCFullYear())),
    });
    await queries.setTier(tx, request.user_id, request.package_type);
    const details = { user_id: request.user_id, tier_before: tier, tier_after: request.package_type };
    await recordAudit(tx, actor, { at: now, action: "payment-request.approve", subject: subjectOf(id), details });
    await deps.outbox.enqueue(tx, approvedMail({ siteName: deps.config.siteName, origin }, row));
    return shownToAdmin({ ...row, payer_tier: request.package_type });
  });
}

/**
 * Rejects a pending request with a reason that the student reads (DECIDE-2). Throws `payment_request_not_found` or
 * `payment_request_decided`.
 */
export function rejectPaymentRequest(
  deps: Dependencies,
  { actor, origin }: Decider,
  id: string,
  reason: string,
): Promise<ReviewedPaymentRequest> {
  return transaction(deps.db, async (tx) => {
    const { request, tier } = await takePending(tx, id);
    const now = deps.clock.now();
    const row = await queries.decide(tx, id, {
      status: "rejected",
      decided_at: now,
      decided_by: actor.email,
      rejection_reason: reason,
      receipt_number: null,
    });
    const details = { user_id: request.user_id, reason };
    await recordAudit(tx, actor, { at: now, action: "payment-request.reject", subject: subjectOf(id), details });
    await deps.outbox.enqueue(tx, rejectedMail({ siteName: deps.config.siteName, origin }, row));
    return shownToAdmin({ ...row, payer_tier: tier ?? null });
  });
}

interface Pending {
  request: queries.PaymentRequestRow;
  tier: SubscriptionStatus | undefined;
}

/** Locks the payer before the request, in the order in which deleting a user does, so that the two never deadlock. */
async function takePending(tx: Transaction, id: string): Promise<Pending> {
  const seen = await queries.findById(tx, id);
  if (!seen) throw new ProductError("payment_request_not_found");
  const tier = seen.user_id === null ? undefined : await queries.lockTier(tx, seen.user_id);
  const request = await queries.lockById(tx, id);
  if (!request) throw new ProductError("payment_request_not_found");
  if (!canDecide(request.status)) {
    throw new ProductError("payment_request_decided", {
      text: `This payment request was already ${request.status} by ${request.decided_by}.`,
    });
  }
  return { request, tier };
}

function subjectOf(id: string): { type: string; id: string } {
  return { type: "payment-request", id };
}
