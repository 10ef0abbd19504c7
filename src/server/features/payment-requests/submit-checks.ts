import type { SubmitPaymentRequest } from "#domain/api/payment-requests";
import { ProductError } from "#domain/errors/messages";
import { includesPackage, type PackageType } from "#domain/packages";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import type { Principal } from "../../platform/http/access.ts";
import { findQuotedPayment, type QuotedPayment } from "../quotes/service.ts";
import { holdTier } from "../users/service.ts";
import * as queries from "./queries.ts";
import { findOwnScreenshot } from "./screenshots/queries.ts";

/** What a student typed, with the reference in its normal form. */
export type NormalisedInput = SubmitPaymentRequest & { reference: string | null };

/** A stored screenshot, by the id and the name of its object. */
export interface Screenshot {
  id: string;
  name: string;
}

export interface CheckedSubmission {
  quoted: QuotedPayment;
  screenshot: Screenshot;
  /** The earlier quote by which a late payer says they have paid. */
  paidQuote: QuotedPayment | undefined;
}

/**
 * Returns what a submission refers to. Throws `package_owned`, `quote_not_found`, `quote_expired`, `method_unavailable`,
 * `upload_not_found`, `upload_used` or `reference_used`.
 */
export async function checkSubmission(
  tx: Transaction,
  payer: Principal,
  input: NormalisedInput,
  now: Date,
): Promise<CheckedSubmission> {
  const quoted = await usableQuote(tx, payer, input, now);
  const screenshot = await unusedScreenshot(tx, payer, input.upload_id);
  await requireFreeReference(tx, payer, input.reference);
  return { quoted, screenshot, paidQuote: await paidQuoteOf(tx, payer, input, quoted.package_type) };
}

/**
 * Throws `package_owned` for a student who has a package or a better one (PAY-9), and `not_signed_in` when the account has just been
 * deleted. The tier cannot change until the transaction ends.
 */
export async function requireNotOwned(tx: Transaction, userId: string, packageType: PackageType): Promise<void> {
  const tier = await holdTier(tx, userId);
  if (tier === undefined) throw new ProductError("not_signed_in");
  if (includesPackage(tier, packageType)) throw new ProductError("package_owned");
}

/**
 * Returns a student's own upload. Throws `upload_not_found`, or `upload_used` when a rejected request has it; one that another request
 * has is refused by a unique index.
 */
export async function unusedScreenshot(connection: Connection, payer: Principal, uploadId: string): Promise<Screenshot> {
  const screenshot = await findOwnScreenshot(connection, uploadId, payer.id);
  if (!screenshot) throw new ProductError("upload_not_found");
  if (await queries.existsRejectedOfScreenshot(connection, uploadId)) throw new ProductError("upload_used");
  return screenshot;
}

/** Throws `reference_used` for the reference of another student's request (PAY-4). */
export async function requireFreeReference(connection: Connection, payer: Principal, reference: string | null): Promise<void> {
  if (reference !== null && (await queries.existsReferenceOfOther(connection, reference, payer.id))) {
    throw new ProductError("reference_used");
  }
}

async function usableQuote(
  tx: Transaction,
  payer: Principal,
  { quote_id, crypto_type }: NormalisedInput,
  now: Date,
): Promise<QuotedPayment> {
  const quoted = await findQuotedPayment(tx, quote_id, payer.id, crypto_type);
  if (!quoted) throw new ProductError("quote_not_found");
  await requireNotOwned(tx, payer.id, quoted.package_type);
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
