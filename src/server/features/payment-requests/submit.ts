import type { PaymentRequest, SubmitPaymentRequest } from "#domain/api/payment-requests";
import { ProductError, type ErrorCode } from "#domain/errors/messages";
import { consentVersion } from "#domain/payments/payment-request";
import { normaliseReference } from "#domain/payment-methods/reference";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit } from "../../platform/audit.ts";
import { violatedConstraint, type Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Principal } from "../../platform/http/access.ts";
import type { Limit } from "../../platform/http/rate-limit.ts";
import { newRequestMail, requestReceivedMail } from "./mail.ts";
import * as queries from "./queries.ts";
import { findComparison, insertUsedDuplicates } from "./screenshots/duplicates.ts";
import { checkSubmission, findSameSubmission, type CheckedSubmission, type NormalisedInput } from "./submit-checks.ts";
import { paymentRequestView } from "./views.ts";

const submitLimit: Limit = { name: "submit", points: 20, seconds: 600 };

export interface Submission {
  input: SubmitPaymentRequest;
  /** Made by the client, the same at every retry (PAY-3). */
  idempotencyKey: string | undefined;
  ip: string;
  /** Where links in mails lead to; undefined when the request's own origin is not trusted. */
  origin: string | undefined;
}

/**
 * Stores a pending request with the quoted figures, whatever else the client sent (QUOTE-1, QUOTE-2). Returns it, and returns the
 * same request for the same key (PAY-3). Throws `idempotency_key_missing`, `idempotency_key_reused`, `quote_not_found`,
 * `quote_expired`, `quote_used`, `method_unavailable`, `upload_not_found`, `upload_used`, `reference_invalid`, `reference_used`,
 * `payment_request_open`, `not_signed_in` when the account has just been deleted, or `too_many_requests`.
 */
export async function submitPaymentRequest(
  deps: Dependencies,
  payer: Principal,
  { idempotencyKey, input: typed, ip, origin }: Submission,
): Promise<PaymentRequest> {
  if (idempotencyKey === undefined) throw new ProductError("idempotency_key_missing");
  // A reference is unique only when the same transaction is always written in the same way.
  const input = { ...typed, reference: normaliseReference(typed.crypto_type, typed.reference) };
  const retried = await findSameSubmission(deps.db, payer, input, idempotencyKey);
  if (retried) return paymentRequestView(retried);
  await deps.limits.consume(submitLimit, payer.id);
  try {
    const row = await transaction(deps.db, (tx) => writeSubmission(deps, tx, payer, { input, idempotencyKey, ip, origin }));
    return paymentRequestView(row);
  } catch (error) {
    const code = refusals[violatedConstraint(error) ?? ""];
    if (code === undefined) throw error;
    // Of two identical submissions at once, the second to arrive is a retry.
    const winner = await findSameSubmission(deps.db, payer, input, idempotencyKey);
    if (winner) return paymentRequestView(winner);
    throw new ProductError(code);
  }
}

/** The error for each unique index and foreign key of `payment_requests`. */
const refusals: Record<string, ErrorCode> = {
  payment_requests_one_open: "payment_request_open",
  payment_requests_idempotency: "idempotency_key_reused",
  payment_requests_quote_id_key: "quote_used",
  payment_requests_screenshot_object_id_key: "upload_used",
  payment_requests_reference_key: "reference_used",
  // Deleted after the checks: the account, the unused upload or the quote.
  payment_requests_user_id_fkey: "not_signed_in",
  payment_requests_screenshot_object_id_fkey: "upload_not_found",
  payment_requests_quote_id_fkey: "quote_not_found",
};

interface NormalisedSubmission extends Submission {
  input: NormalisedInput;
  idempotencyKey: string;
}

async function writeSubmission(
  deps: Dependencies,
  tx: Transaction,
  payer: Principal,
  submission: NormalisedSubmission,
): Promise<queries.PaymentRequestRow> {
  const now = deps.clock.now();
  const checked = await checkSubmission(tx, payer, submission.input, now);
  const row = await queries.insertRequest(tx, {
    ...payerColumns(payer),
    ...paymentColumns(checked),
    quote_id: submission.input.quote_id,
    reference: submission.input.reference,
    consent_version: consentVersion,
    consented_at: now,
    idempotency_key: submission.idempotencyKey,
    created_at: now,
  });
  await insertUsedDuplicates(tx, checked.screenshot.id);
  await recordAudit(
    tx,
    { id: payer.id, email: payer.email, ip: submission.ip },
    { at: now, action: "payment-request.submit", subject: { type: "payment-request", id: row.id } },
  );
  await enqueueMails(deps, tx, submission.origin, row);
  return row;
}

function payerColumns(payer: Principal) {
  return { user_id: payer.id, payer_email: payer.email, payer_full_name: payer.full_name };
}

/** Returns the quoted figures, the screenshot and, of a late payer, the figures of the quote they paid by. */
function paymentColumns({ quoted, screenshot, paidQuote }: CheckedSubmission) {
  const { package_type, coupon_code, discount_percent, original_usd, upgrade_credit_usd, amount_usd, method } = quoted;
  const { crypto_type, amount_crypto, wallet_address } = method;
  return {
    package_type,
    coupon_code,
    discount_percent,
    original_usd,
    upgrade_credit_usd,
    amount_usd,
    crypto_type,
    amount_crypto,
    wallet_address,
    screenshot_url: screenshot.name,
    screenshot_object_id: screenshot.id,
    ...(paidQuote && {
      earlier_amount_usd: paidQuote.amount_usd,
      earlier_amount_crypto: paidQuote.method.amount_crypto,
      earlier_wallet_address: paidQuote.method.wallet_address,
      earlier_quoted_at: paidQuote.created_at,
    }),
  };
}

async function enqueueMails(
  deps: Dependencies,
  tx: Transaction,
  origin: string | undefined,
  row: queries.PaymentRequestRow,
): Promise<void> {
  const { config } = deps;
  const site = { siteName: config.site.name, origin };
  await deps.outbox.enqueue(tx, requestReceivedMail(site, row));
  const comparison = await findComparison(tx, row.id);
  await deps.outbox.enqueue(tx, newRequestMail(site, config.admin.email, row, comparison));
}
