import type { PaymentRequest, SubmitPaymentRequest } from "#domain/api/payment-requests";
import { ProductError } from "#domain/errors/messages";
import { consentVersion } from "#domain/payments/payment-request";
import { normaliseReference } from "#domain/payment-methods/reference";
import type { Dependencies } from "../../dependencies.ts";
import type { Transaction } from "../../platform/db/database.ts";
import type * as queries from "./queries.ts";
import { storeOnce, storeRequest, type Sender } from "./store.ts";
import { checkSubmission, findSameSubmission, type CheckedSubmission, type NormalisedInput } from "./submit-checks.ts";

export interface Submission {
  input: SubmitPaymentRequest;
  /** Made by the client, the same at every retry (PAY-3). */
  idempotencyKey: string | undefined;
}

/**
 * Stores a pending request with the quoted figures, whatever else the client sent (QUOTE-1, QUOTE-2). Returns it, and returns the
 * same request for the same key (PAY-3). Throws `idempotency_key_missing`, `idempotency_key_reused`, `quote_not_found`,
 * `quote_expired`, `quote_used`, `method_unavailable`, `upload_not_found`, `upload_used`, `reference_invalid`, `reference_used`,
 * `payment_request_open`, `package_owned` (PAY-9), `not_signed_in` when the account has just been deleted, or `too_many_requests`.
 */
export async function submitPaymentRequest(
  deps: Dependencies,
  sender: Sender,
  { idempotencyKey, input: typed }: Submission,
): Promise<PaymentRequest> {
  if (idempotencyKey === undefined) throw new ProductError("idempotency_key_missing");
  const { payer } = sender;
  // A reference is unique only when the same transaction is always written in the same way.
  const input = { ...typed, reference: normaliseReference(typed.crypto_type, typed.reference) };
  return storeOnce(
    deps,
    payer,
    () => findSameSubmission(deps.db, payer, input, idempotencyKey),
    (tx) => writeSubmission(deps, tx, sender, { input, idempotencyKey }),
  );
}

interface NormalisedSubmission {
  input: NormalisedInput;
  idempotencyKey: string;
}

async function writeSubmission(
  deps: Dependencies,
  tx: Transaction,
  sender: Sender,
  { input, idempotencyKey }: NormalisedSubmission,
): Promise<queries.PaymentRequestRow> {
  const now = deps.clock.now();
  const checked = await checkSubmission(tx, sender.payer, input, now);
  return storeRequest(deps, tx, sender, {
    ...paymentColumns(checked),
    quote_id: input.quote_id,
    reference: input.reference,
    consent_version: consentVersion,
    consented_at: now,
    idempotency_key: idempotencyKey,
    created_at: now,
  });
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
