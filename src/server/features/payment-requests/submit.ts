import type { SubmitPaymentRequest } from "#domain/api/payments/payment-inputs";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { ProductError } from "#domain/errors/messages";
import { consentVersion } from "#domain/payments/payment-request";
import type { Dependencies } from "../../dependencies.ts";
import type { Transaction } from "../../platform/db/database.ts";
import type { QuotedPayment } from "../quotes/service.ts";
import { storeOnce, storeRequest, type Sender } from "./store.ts";
import {
  checkSubmission,
  findSameSubmission,
  submissionInput,
  type CheckedPayment,
  type SubmissionInput,
} from "./submit-checks.ts";

export interface Submission {
  input: SubmitPaymentRequest;
  /** Made by the client, the same at every retry (PAY-3). */
  idempotencyKey: string | undefined;
}

/**
 * Stores a pending request with the quoted figures, whatever else the client sent (QUOTE-1, QUOTE-2). Returns it, and returns the
 * same request for the same key (PAY-3). Throws `idempotency_key_missing`, `idempotency_key_reused`, `quote_not_found`,
 * `quote_expired`, `quote_void` (GUARD-4), `quote_used`, `method_missing`, `screenshot_missing`, `method_unavailable`, `upload_not_found`, `upload_used`, `reference_invalid`,
 * `payment_request_open`, `package_owned` (PAY-9), `not_signed_in` when the account has just been deleted, or `too_many_requests`.
 */
export async function submitPaymentRequest(
  deps: Dependencies,
  sender: Sender,
  { idempotencyKey, input: typed }: Submission,
): Promise<PaymentRequest> {
  if (idempotencyKey === undefined) throw new ProductError("idempotency_key_missing");
  const { payer } = sender;
  const input = submissionInput(typed);
  return storeOnce(
    deps,
    payer,
    () => findSameSubmission(deps.db, payer, input, idempotencyKey),
    (tx) => writeSubmission(deps, tx, sender, { input, idempotencyKey }),
  );
}

interface NormalisedSubmission {
  input: SubmissionInput;
  idempotencyKey: string;
}

async function writeSubmission(
  deps: Dependencies,
  tx: Transaction,
  sender: Sender,
  { input, idempotencyKey }: NormalisedSubmission,
): Promise<PaymentRequest> {
  const now = deps.clock.now();
  const { email, quoted, payment } = await checkSubmission(tx, sender.payer, input, now);
  return storeRequest(deps, tx, sender, {
    payer_email: email,
    ...quoteColumns(quoted),
    ...(payment && paymentColumns(payment)),
    consent_version: consentVersion,
    consented_at: now,
    idempotency_key: idempotencyKey,
    created_at: now,
  });
}

/** Returns the quoted figures. */
function quoteColumns({ id, package_type, coupon_code, discount_percent, original_usd, ...quoted }: QuotedPayment) {
  const { upgrade_credit_usd, amount_usd } = quoted;
  return { quote_id: id, package_type, coupon_code, discount_percent, original_usd, upgrade_credit_usd, amount_usd };
}

/** Returns the figures of the chosen method, the screenshot and, of a late payer, the figures of the quote they paid by. */
function paymentColumns({ method, screenshot, reference, earlier }: CheckedPayment) {
  const { crypto_type, amount_crypto, wallet_address } = method;
  return {
    crypto_type,
    amount_crypto,
    wallet_address,
    reference,
    screenshot_url: screenshot.name,
    screenshot_object_id: screenshot.id,
    ...(earlier && {
      earlier_amount_usd: earlier.amount_usd,
      earlier_amount_crypto: earlier.method.amount_crypto,
      earlier_wallet_address: earlier.method.wallet_address,
      earlier_quoted_at: earlier.created_at,
    }),
  };
}
