import type { Approval, Rejection } from "#domain/api/payments/payment-inputs";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { amountOnChain } from "#domain/evidence/chain-amount";
import { ProductError } from "#domain/errors/messages";
import { rounded } from "#domain/money";
import { paymentMethod } from "#domain/payment-methods/methods";
import { isDowngrade } from "#domain/packages";
import { isAmountOf, isPartOf, transferOf } from "#domain/payments/transfer";
import { receiptNumber } from "#domain/payments/receipt";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type AuditedChange } from "../../platform/audit.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { ActingAdmin } from "../../platform/http/origin.ts";
import { enqueueEvent } from "../webhooks/service.ts";
import { chainSource } from "./evidence/chain.ts";
import { requireNoneApproved, throwRefusal } from "./evidence/disputes.ts";
import type { EvidenceDependencies } from "./evidence/source.ts";
import { approvedMail, rejectedMail } from "./mail.ts";
import { lockPending, reviewedView } from "./pending.ts";
import * as queries from "./queries.ts";
import { upsertDecision } from "./reopen/queries.ts";
import { changeTier } from "./rest/change-tier.ts";
import { restKey } from "./rest/mail.ts";
import { auditedPayment } from "./views.ts";
import { requestEvent } from "./webhook-event.ts";

/** Of a mail that asks for the rest (PART-4). */
const restDecided = "Not sent, because the request was decided.";

/**
 * Approves a pending request: sets exactly its package as the student's tier and numbers the receipt, in one transaction
 * (PACKAGE-3, DECIDE-1, DECIDE-4). `amount_received` is what has arrived, a decimal in the payment's currency (PART-1), and the note is
 * the admin's own (PART-2). Returns the decided request. Throws `payment_request_not_found`, `payment_request_decided` (with who
 * decided), `payment_request_own` for the decider's own of before they were the admin (ACCESS-4), `user_not_found` when the account is
 * deleted (DECIDE-3), `downgrade_unconfirmed` unless `confirm_downgrade`, `amount_received_unreadable`, and `reference_approved` when another
 * request with one of its references was approved (EVIDENCE-2).
 */
export async function approvePaymentRequest(
  deps: Dependencies,
  decider: ActingAdmin,
  id: string,
  approval: Approval,
): Promise<ReviewedPaymentRequest> {
  const row = await transaction(deps.db, (tx) => writeApproval(deps, tx, decider, id, approval)).catch((error: unknown) =>
    throwRefusal(deps.db, id, error),
  );
  return reviewedView(deps, row);
}

async function writeApproval(
  deps: Dependencies,
  tx: Transaction,
  decider: ActingAdmin,
  id: string,
  approval: Approval,
): Promise<queries.ReviewedRow> {
  const { request, payer, email } = await lockPending(tx, id);
  const { user_id, package_type } = request;
  // Both are there, or neither.
  if (payer === undefined) throw new ProductError("user_not_found");
  if (user_id === decider.actor.id) throw new ProductError("payment_request_own");
  const { tier } = payer;
  if (isDowngrade(tier, package_type) && !approval.confirm_downgrade) throw new ProductError("downgrade_unconfirmed");
  const received = await amountApproved({ ...deps, db: tx }, { ...request, payer_tier: tier }, approval.amount_received);
  const note = approval.note || request.note;
  const now = deps.clock.now();
  const year = now.getUTCFullYear();
  const place = await queries.incrementReceiptCounter(tx, year);
  // Approvals take turns from the counter on, so that the references of parts need no index of their own.
  await requireNoneApproved(tx, id);
  const row = await queries.updateDecision(tx, id, {
    status: "approved",
    decided_at: now,
    decided_by: decider.actor.email,
    rejection_reason: null,
    amount_received: received,
    note,
    receipt_number: receiptNumber(year, place),
  });
  const tier_change = await changeTier(deps, tx, {
    id: user_id!,
    email,
    before: tier,
    after: package_type,
    origin: decider.origin,
  });
  await upsertDecision(tx, request, { tier_before: tier, tier_change_before: payer.changes, tier_change });
  await audit(tx, decider, row, {
    user_id,
    before: { status: request.status, tier },
    after: { status: row.status, tier: package_type, receipt_number: row.receipt_number },
    ...(received !== null && { amount_received: received }),
    ...(note !== null && { note }),
  });
  await enqueueEvent(deps, tx, requestEvent(row, email, decider.origin));
  await deps.outbox.cancel(tx, restKey(request), restDecided);
  await deps.outbox.enqueue(tx, approvedMail({ site: deps.config.site, origin: decider.origin }, email, row));
  return { ...row, payer_tier: package_type };
}

/**
 * Rejects a pending request with a reason that the student reads (DECIDE-2) and, where too little has arrived, with how much (DECIDE-7).
 * Returns the decided request. Throws `payment_request_not_found`, `payment_request_decided` (with who decided) or
 * `amount_received_invalid`.
 */
export async function rejectPaymentRequest(
  deps: Dependencies,
  decider: ActingAdmin,
  id: string,
  rejection: Rejection,
): Promise<ReviewedPaymentRequest> {
  const row = await transaction(deps.db, (tx) => writeRejection(deps, tx, decider, id, rejection));
  return reviewedView(deps, row);
}

async function writeRejection(
  deps: Dependencies,
  tx: Transaction,
  decider: ActingAdmin,
  id: string,
  { reason, amount_received: typed }: Rejection,
): Promise<queries.ReviewedRow> {
  const { request, payer, email } = await lockPending(tx, id);
  const received = typed ? amountReceived(request, typed) : null;
  const row = await queries.updateDecision(tx, id, {
    status: "rejected",
    decided_at: deps.clock.now(),
    decided_by: decider.actor.email,
    rejection_reason: reason,
    amount_received: received,
    note: request.note,
    receipt_number: null,
  });
  await upsertDecision(tx, request);
  const change = { before: { status: request.status }, after: { status: row.status } };
  await audit(tx, decider, row, {
    user_id: request.user_id,
    ...change,
    reason,
    ...(received !== null && { amount_received: received }),
  });
  await enqueueEvent(deps, tx, requestEvent(row, email, decider.origin));
  await deps.outbox.cancel(tx, restKey(request), restDecided);
  const rejected = { ...row, payer_tier: payer?.tier ?? null };
  await deps.outbox.enqueue(tx, rejectedMail({ site: deps.config.site, origin: decider.origin }, email, rejected));
  return rejected;
}

/**
 * Returns what has arrived of an approved payment (PART-1): what the admin states, otherwise what was stated when the rest was asked for
 * and has not come, otherwise what the chain has of a payment in one part; null where none of these is known. Throws
 * `amount_received_unreadable`.
 */
async function amountApproved(
  deps: EvidenceDependencies,
  request: queries.ReviewedRow,
  typed: string | null | undefined,
): Promise<string | null> {
  if (!typed && request.rest_asked_at !== null) return request.amount_received;
  if (!typed && request.amount_received !== null) return null;
  if (!typed) return amountOnChain((await chainSource(deps, [request]))(request));
  const transfer = transferOf(request);
  if (!transfer || !isAmountOf(transfer, typed)) throw new ProductError("amount_received_unreadable");
  return rounded(typed, paymentMethod(transfer.crypto_type).places);
}

/** Returns what has arrived, with all the decimals of the payment's method. Throws `amount_received_invalid`. */
function amountReceived(request: queries.PaymentRequestRow, typed: string): string {
  const transfer = transferOf(request);
  if (!transfer || !isPartOf(transfer, typed)) throw new ProductError("amount_received_invalid");
  return rounded(typed, paymentMethod(transfer.crypto_type).places);
}

function audit(tx: Transaction, { actor }: ActingAdmin, row: queries.PaymentRequestRow, details: AuditedChange): Promise<void> {
  const action = row.status === "approved" ? "payment-request.approve" : "payment-request.reject";
  const subject = { type: "payment-request", id: row.id };
  return recordAudit(tx, actor, { at: row.decided_at!, action, subject, details: { ...auditedPayment(row), ...details } });
}
