import type { SubmitPaymentRequest } from "#domain/api/payment-requests";
import { ProductError } from "#domain/errors/messages";
import type { PackageType } from "#domain/packages";
import type { Connection } from "../../platform/db/database.ts";
import type { Principal } from "../../platform/http/access.ts";
import { findQuotedPayment, type QuotedPayment } from "../quotes/service.ts";
import * as queries from "./queries.ts";
import { findOwnScreenshot } from "./screenshots/queries.ts";

/** What a student typed, with the reference in its normal form. */
export type NormalisedInput = SubmitPaymentRequest & { reference: string | null };

export interface CheckedSubmission {
  quoted: QuotedPayment;
  screenshot: { id: string; name: string };
  /** The earlier quote by which a late payer says they have paid. */
  paidQuote: QuotedPayment | undefined;
}

/** Returns what a submission refers to. Throws `quote_not_found`, `quote_expired`, `method_unavailable`, `upload_not_found` or `reference_used`. */
export async function checkSubmission(
  connection: Connection,
  payer: Principal,
  input: NormalisedInput,
  now: Date,
): Promise<CheckedSubmission> {
  const quoted = await usableQuote(connection, payer, input, now);
  const screenshot = await findOwnScreenshot(connection, input.upload_id, payer.id);
  if (!screenshot) throw new ProductError("upload_not_found");
  if (input.reference !== null && (await queries.existsReferenceOfOther(connection, input.reference, payer.id))) {
    throw new ProductError("reference_used");
  }
  return { quoted, screenshot, paidQuote: await paidQuoteOf(connection, payer, input, quoted.package_type) };
}

async function usableQuote(
  connection: Connection,
  payer: Principal,
  { quote_id, crypto_type }: NormalisedInput,
  now: Date,
): Promise<QuotedPayment> {
  const quoted = await findQuotedPayment(connection, quote_id, payer.id, crypto_type);
  if (!quoted) throw new ProductError("quote_not_found");
  if (quoted.expires_at <= now) throw new ProductError("quote_expired");
  if (!quoted.method.available) throw new ProductError("method_unavailable");
  return quoted;
}

/** Returns the payer's own earlier quote for the same package that they say they paid by; throws `quote_not_found` for any other. */
async function paidQuoteOf(
  connection: Connection,
  payer: Principal,
  { paid_quote_id, crypto_type }: NormalisedInput,
  packageType: PackageType,
): Promise<QuotedPayment | undefined> {
  if (paid_quote_id == null) return undefined;
  const earlier = await findQuotedPayment(connection, paid_quote_id, payer.id, crypto_type);
  if (!earlier?.method.available || earlier.package_type !== packageType) throw new ProductError("quote_not_found");
  return earlier;
}

/** Returns the request that this submission made before; throws `idempotency_key_reused` when its key made a different one. */
export async function findSameSubmission(
  connection: Connection,
  payer: Principal,
  input: NormalisedInput,
  idempotencyKey: string,
): Promise<queries.PaymentRequestRow | undefined> {
  const row = await queries.findByIdempotencyKey(connection, payer.id, idempotencyKey);
  if (!row) return undefined;
  const isSame =
    row.quote_id === input.quote_id &&
    row.crypto_type === input.crypto_type &&
    row.screenshot_object_id === input.upload_id &&
    row.reference === input.reference &&
    (await isSamePaidQuote(connection, payer, row.earlier_quoted_at, input));
  if (!isSame) throw new ProductError("idempotency_key_reused");
  return row;
}

/** Returns whether a request names the same earlier quote; a quote deleted since cannot be compared and counts as the same. */
async function isSamePaidQuote(
  connection: Connection,
  payer: Principal,
  quotedAt: Date | null,
  { paid_quote_id, crypto_type }: NormalisedInput,
): Promise<boolean> {
  if (quotedAt === null || paid_quote_id == null) return quotedAt === null && paid_quote_id == null;
  const earlier = await findQuotedPayment(connection, paid_quote_id, payer.id, crypto_type);
  return earlier === undefined || earlier.created_at.getTime() === quotedAt.getTime();
}
