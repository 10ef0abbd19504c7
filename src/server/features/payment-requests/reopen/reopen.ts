import type { Reopening } from "#domain/api/payments/payment-inputs";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { ProductError } from "#domain/errors/messages";
import type { SubscriptionStatus } from "#domain/packages";
import { canDecide } from "#domain/payments/payment-request";
import type { Dependencies } from "../../../dependencies.ts";
import { recordAudit } from "../../../platform/audit.ts";
import { violatedConstraint, type Transaction } from "../../../platform/db/database.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { ActingAdmin } from "../../../platform/http/origin.ts";
import type { Mail } from "../../../platform/mail/outbox.ts";
import { endQuotesWithCredit } from "../../quotes/service.ts";
import type { LockedTier } from "../../users/service.ts";
import { enqueueEvent } from "../../webhooks/service.ts";
import { decisionKey, type MailContext } from "../mail.ts";
import { lockRequest, reviewedView } from "../pending.ts";
import { existsResubmission, type PaymentRequestRow, type ReviewedRow } from "../queries.ts";
import { changeTier } from "../rest/change-tier.ts";
import { restAskedMail, restKey } from "../rest/mail.ts";
import { auditedPayment } from "../views.ts";
import { reopenedEvent } from "../webhook-event.ts";
import { isRestAsked, reopenedMail, type ReopenedDecision } from "./mail.ts";
import * as queries from "./queries.ts";

/**
 * Undoes the decision of a request, which is pending again as it was before (REOPEN-1): the tier goes back unless it was set since
 * (REOPEN-2), the receipt is cancelled (REOPEN-3), and the student is notified (REOPEN-4), in one transaction. Returns the request. Throws
 * `payment_request_not_found`, `payment_request_not_decided`, `payment_request_decided_again` when another decision than that of `decided_at`
 * stands, `user_not_found` when the account is deleted, `payment_request_resubmitted`, and `payment_request_other_open` while the student
 * has another pending request for the package.
 */
export async function reopenPaymentRequest(
  deps: Dependencies,
  decider: ActingAdmin,
  id: string,
  reopening: Reopening,
): Promise<ReviewedPaymentRequest> {
  const row = await transaction(deps.db, (tx) => writeReopening(deps, tx, decider, id, reopening)).catch((error: unknown) => {
    if (violatedConstraint(error) === "payment_requests_one_open") throw new ProductError("payment_request_other_open");
    throw error;
  });
  return reviewedView(deps, row);
}

async function writeReopening(
  deps: Dependencies,
  tx: Transaction,
  { actor, origin }: ActingAdmin,
  id: string,
  { reason, decided_at: meant }: Reopening,
): Promise<ReviewedRow> {
  const { request, userId, payer } = await lockDecided(tx, id, meant);
  const at = deps.clock.now();
  const replaced = await queries.deleteDecision(tx, id);
  // Before the request is pending: its own mail is decided on below.
  const tier = await undoTier(deps, tx, { id: userId, ...payer, origin }, replaced);
  const row = await queries.updateToPending(tx, id, replaced ?? {});
  const { receipt_number, status, decided_at, decided_by, rejection_reason, amount_received } = request;
  if (receipt_number !== null) {
    const approval = { request_id: id, approved_at: decided_at!, approved_by: decided_by! };
    await queries.insertCancelledReceipt(tx, {
      receipt_number,
      ...approval,
      cancelled_at: at,
      cancelled_by: actor.email,
      reason,
      amount_received,
    });
    // What was paid for Starter is no longer known to have arrived.
    await endQuotesWithCredit(tx, userId, at);
  }
  await recordAudit(tx, actor, {
    at,
    action: "payment-request.reopen",
    subject: { type: "payment-request", id },
    details: {
      ...auditedPayment(row),
      user_id: userId,
      reason,
      before: { status, decided_at, decided_by, rejection_reason, amount_received, receipt_number, tier: payer.tier },
      after: { status: row.status, amount_received: row.amount_received, tier },
    },
  });
  await enqueueEvent(deps, tx, reopenedEvent(row, payer.email, origin, { reason, cancelledReceipt: receipt_number }));
  const undone = { request, pending: row, reason, tierBefore: payer.tier, tierAfter: tier };
  const mail = await mailAbout(deps, tx, { site: deps.config.site, origin }, payer.email, undone);
  if (mail) await deps.outbox.enqueue(tx, mail);
  return { ...row, payer_tier: tier };
}

/** Returns the mail to the student, who may know neither of the decision nor of the rest that was asked for before it (REOPEN-4). */
async function mailAbout(
  { outbox }: Dependencies,
  tx: Transaction,
  context: MailContext,
  email: string,
  undone: ReopenedDecision,
): Promise<Mail | undefined> {
  const { pending } = undone;
  const isUnknown = await outbox.withdraw(tx, decisionKey(pending.id), "Not sent, because the decision was undone.");
  if (!isUnknown) return reopenedMail(context, email, undone);
  // Stryker disable next-line ConditionFalse: saves a query, as the decision has withdrawn no mail where none asked.
  if (!isRestAsked(undone)) return undefined;
  const unknown = await outbox.withdrawAll(tx, [restKey(pending)], "Not sent, because a newer mail replaced it.");
  return unknown.size > 0 ? restAskedMail(context, email, pending) : undefined;
}

async function lockDecided(
  tx: Transaction,
  id: string,
  meant: string | undefined,
): Promise<{ request: PaymentRequestRow; userId: string; payer: LockedTier }> {
  const { request, payer } = await lockRequest(tx, id);
  if (canDecide(request.status)) throw new ProductError("payment_request_not_decided");
  const isMeant = meant === undefined || request.decided_at?.getTime() === Date.parse(meant);
  if (!isMeant) throw new ProductError("payment_request_decided_again");
  // Stryker disable next-line LeftOperand,RightOperand,LogicalOperator: a request loses its student's id with the account.
  if (request.user_id === null || payer === undefined) throw new ProductError("user_not_found");
  if (await existsResubmission(tx, id)) throw new ProductError("payment_request_resubmitted");
  return { request, userId: request.user_id, payer };
}

/** Sets the tier back to what it was before an approval, unless it was set again since. Returns the tier from now on (REOPEN-2). */
async function undoTier(
  deps: Dependencies,
  tx: Transaction,
  payer: LockedTier & { id: string; origin: string | undefined },
  replaced: queries.DecisionRow | undefined,
): Promise<SubscriptionStatus> {
  if (!replaced || !queries.isApproval(replaced)) return payer.tier;
  if (payer.changes !== replaced.tier_change) {
    await queries.replaceTierBefore(tx, payer.id, replaced);
    return payer.tier;
  }
  const { id, email, tier, origin } = payer;
  const present = await changeTier(deps, tx, { id, email, before: tier, after: replaced.tier_before, origin });
  await queries.replaceTierChange(tx, id, replaced, present);
  return replaced.tier_before;
}
