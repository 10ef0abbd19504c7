import type { PaymentRequest, SubmitPaymentRequest } from "#domain/api/payment-requests";
import { ProductError, type ErrorCode } from "#domain/messages";
import type { PackageType } from "#domain/packages";
import { consentVersion } from "#domain/payment-request";
import { normaliseReference } from "#domain/reference";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit } from "../../platform/audit.ts";
import { violatedConstraint, type Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Principal } from "../../platform/http/access.ts";
import { quotedPayment } from "../quotes/service.ts";
import { rememberUsedLikenesses, screenshotComparison } from "./likenesses.ts";
import { newRequestMail, requestReceivedMail } from "./mail.ts";
import * as queries from "./queries.ts";
import { shownToPayer } from "./shown.ts";

const submissions = { name: "submit", points: 20, seconds: 600 };

export interface Submission {
  input: SubmitPaymentRequest;
  /** Made by the client, the same at every retry (PAY-3). */
  idempotencyKey: string | undefined;
  ip: string;
  /** Where links in mails lead to; undefined when the request's own is not to be trusted. */
  origin: string | undefined;
}

/**
 * Stores a pending request with the quoted figures, whatever else the client sent (QUOTE-1, QUOTE-2, PAY-3). The same key again
 * gives the same request. Throws `idempotency_key_missing`, `idempotency_key_reused`, `quote_not_found`, `quote_expired`,
 * `quote_used`, `method_unavailable`, `upload_not_found`, `upload_used`, `reference_invalid`, `reference_used`,
 * `payment_request_open`, `not_signed_in` when the account has just been deleted, or `too_many_requests`.
 */
export async function submitPaymentRequest(
  deps: Dependencies,
  payer: Principal,
  submission: Submission,
): Promise<PaymentRequest> {
  const { idempotencyKey } = submission;
  if (idempotencyKey === undefined) throw new ProductError("idempotency_key_missing");
  const input = withNormalisedReference(submission.input);
  const earlier = await sameSubmission(deps, payer, input, idempotencyKey);
  if (earlier) return earlier;
  await deps.limits.consume(submissions, payer.id);
  try {
    return await transaction(deps.db, (tx) => store(deps, tx, payer, { ...submission, input, idempotencyKey }));
  } catch (error) {
    const code = refusals[violatedConstraint(error) ?? ""];
    if (code === undefined) throw error;
    // The same submission may have arrived twice at once: then this one is the retry.
    const winner = await sameSubmission(deps, payer, input, idempotencyKey);
    if (winner) return winner;
    throw new ProductError(code);
  }
}

type NormalisedInput = SubmitPaymentRequest & { reference: string | null };

/** Unique only means something when the same transaction is always written in the same way. */
function withNormalisedReference(input: SubmitPaymentRequest): NormalisedInput {
  return { ...input, reference: normaliseReference(input.crypto_type, input.reference) };
}

/** What each unique index and foreign key of `payment_requests` refuses. */
const refusals: Record<string, ErrorCode> = {
  payment_requests_one_open: "payment_request_open",
  payment_requests_idempotency: "idempotency_key_reused",
  payment_requests_quote_id_key: "quote_used",
  payment_requests_screenshot_object_id_key: "upload_used",
  payment_requests_reference_key: "reference_used",
  // What was there a moment ago: the account may be deleted, the unused upload removed.
  payment_requests_user_id_fkey: "not_signed_in",
  payment_requests_screenshot_object_id_fkey: "upload_not_found",
  payment_requests_quote_id_fkey: "quote_not_found",
};

async function sameSubmission(
  deps: Dependencies,
  payer: Principal,
  input: NormalisedInput,
  key: string,
): Promise<PaymentRequest | undefined> {
  const row = await queries.findByKey(deps.db, payer.id, key);
  if (!row) return undefined;
  const isSame =
    row.quote_id === input.quote_id &&
    row.crypto_type === input.crypto_type &&
    row.screenshot_object_id === input.upload_id &&
    row.reference === input.reference &&
    (await isSameClaim(deps, payer, row.earlier_quoted_at, input));
  if (!isSame) throw new ProductError("idempotency_key_reused");
  return shownToPayer(row);
}

/** Whether a request was made by this earlier quote; one that is gone by now cannot be told from another. */
async function isSameClaim(
  deps: Dependencies,
  payer: Principal,
  quotedAt: Date | null,
  input: NormalisedInput,
): Promise<boolean> {
  if (quotedAt === null || input.paid_quote_id == null) return quotedAt === null && input.paid_quote_id == null;
  const claimed = await quotedPayment(deps.db, input.paid_quote_id, payer.id, input.crypto_type);
  return claimed === undefined || claimed.created_at.getTime() === quotedAt.getTime();
}

async function store(
  deps: Dependencies,
  tx: Transaction,
  payer: Principal,
  { input, idempotencyKey, ip, origin }: Submission & { input: NormalisedInput; idempotencyKey: string },
): Promise<PaymentRequest> {
  const now = deps.clock.now();
  const { siteName, adminEmail } = deps.config;
  const quoted = await quotedPayment(tx, input.quote_id, payer.id, input.crypto_type);
  if (!quoted) throw new ProductError("quote_not_found");
  if (quoted.expires_at <= now) throw new ProductError("quote_expired");
  if (!quoted.method.available) throw new ProductError("method_unavailable");
  const screenshot = await queries.findOwnScreenshot(tx, input.upload_id, payer.id);
  if (!screenshot) throw new ProductError("upload_not_found");
  if (input.reference !== null && (await queries.isReferenceOfAnother(tx, input.reference, payer.id))) {
    throw new ProductError("reference_used");
  }
  const { package_type, coupon_code, discount_percent, original_usd, upgrade_credit_usd, amount_usd, method } = quoted;
  const row = await queries.insert(tx, {
    user_id: payer.id,
    payer_email: payer.email,
    payer_full_name: payer.full_name,
    quote_id: input.quote_id,
    package_type,
    original_usd,
    discount_percent,
    upgrade_credit_usd,
    amount_usd,
    coupon_code,
    amount_crypto: method.amount_crypto,
    crypto_type: method.crypto_type,
    wallet_address: method.wallet_address,
    screenshot_url: screenshot.name,
    screenshot_object_id: screenshot.id,
    reference: input.reference,
    ...(await earlierQuote(tx, payer, input, package_type)),
    consent_version: consentVersion,
    consented_at: now,
    idempotency_key: idempotencyKey,
    created_at: now,
  });
  await rememberUsedLikenesses(tx, screenshot.id);
  await recordAudit(
    tx,
    { id: payer.id, email: payer.email, ip },
    { at: now, action: "payment-request.submit", subject: { type: "payment-request", id: row.id } },
  );
  await deps.outbox.enqueue(tx, requestReceivedMail({ siteName, origin }, row));
  const comparison = await screenshotComparison(tx, row.id);
  await deps.outbox.enqueue(tx, newRequestMail({ siteName, origin }, adminEmail, row, comparison));
  return shownToPayer(row);
}

/** The figures by which a late payer says they have paid: those of an earlier quote of their own for the same package. */
async function earlierQuote(tx: Transaction, payer: Principal, input: NormalisedInput, packageType: PackageType) {
  if (input.paid_quote_id == null) return {};
  const earlier = await quotedPayment(tx, input.paid_quote_id, payer.id, input.crypto_type);
  if (!earlier?.method.available || earlier.package_type !== packageType) throw new ProductError("quote_not_found");
  return {
    earlier_amount_usd: earlier.amount_usd,
    earlier_amount_crypto: earlier.method.amount_crypto,
    earlier_wallet_address: earlier.method.wallet_address,
    earlier_quoted_at: earlier.created_at,
  };
}
