import type { SubmitPaymentRequest } from "#domain/api/payments/payment-inputs";
import { ProductError } from "#domain/errors/messages";
import { decimal } from "#domain/money";
import { includesPackage, type PackageType } from "#domain/packages";
import type { CryptoType, QuotedMethod } from "#domain/payment-methods/methods";
import { normaliseReference } from "#domain/payment-methods/reference";
import { isAhead } from "../../platform/clock.ts";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { together } from "../../platform/db/together.ts";
import type { Principal } from "../../platform/http/access.ts";
import { availableMethod, findQuotedPayment, type QuotedPayment } from "../quotes/service.ts";
import { holdTier, type HeldTier } from "../users/service.ts";
import * as queries from "./queries.ts";
import { existsPartOfScreenshot } from "./rest/queries.ts";
import { lockOwnScreenshot } from "./screenshots/queries.ts";

/** How a student says they paid, with the reference in its normal form. */
interface PaymentClaim {
  crypto_type: CryptoType;
  upload_id: string;
  reference: string | null;
  paid_quote_id: string | null;
}

/** A student's input; without a claim it states that there is nothing to pay. */
export interface SubmissionInput {
  quote_id: string;
  claim: PaymentClaim | undefined;
  /** Thrown when something is to be paid and there is no claim. */
  missing: "method_missing" | "screenshot_missing";
}

/** A stored screenshot, by the id and the name of its object. */
export interface Screenshot {
  id: string;
  name: string;
}

/** A claim whose parts exist and are free to use. */
export interface CheckedPayment {
  method: QuotedMethod;
  screenshot: Screenshot;
  reference: string | null;
  /** The figures of the earlier quote that a late payer claims to have paid. */
  earlier: { amount_usd: string; created_at: Date; method: QuotedMethod } | undefined;
}

export interface CheckedSubmission {
  /** The payer's address, which cannot change until the transaction ends. */
  email: string;
  quoted: QuotedPayment;
  /** Undefined where there is nothing to pay. */
  payment: CheckedPayment | undefined;
}

/**
 * Returns the typed input with its claim, if any. A method or a screenshot alone claims nothing. Throws `method_missing`,
 * `screenshot_missing` or `reference_invalid`.
 */
export function submissionInput({ quote_id, crypto_type, upload_id, ...typed }: SubmitPaymentRequest): SubmissionInput {
  const paid_quote_id = typed.paid_quote_id ?? null;
  const missing = upload_id ? "method_missing" : "screenshot_missing";
  if (!crypto_type || !upload_id) {
    if (typed.reference || paid_quote_id !== null) throw new ProductError(missing);
    return { quote_id, claim: undefined, missing };
  }
  // Only a reference that is always written in the same way is found again.
  const reference = normaliseReference(crypto_type, typed.reference);
  return { quote_id, claim: { crypto_type, upload_id, reference, paid_quote_id }, missing };
}

/**
 * Returns what a submission refers to. Throws `package_owned`, `quote_not_found`, `quote_expired`, `quote_void`, `method_missing` or
 * `screenshot_missing` when something is to be paid and nothing was claimed (PAY-11), `method_unavailable`, `upload_not_found`, `upload_used` or
 * `not_signed_in`.
 */
export async function checkSubmission(
  tx: Transaction,
  payer: Principal,
  { quote_id, claim, missing }: SubmissionInput,
  now: Date,
): Promise<CheckedSubmission> {
  if (claim) return checkPayment(tx, payer, quote_id, claim, now);
  const usable = await usableQuote(tx, payer, quote_id, now);
  if (decimal(usable.quoted.amount_usd).gt(0)) throw new ProductError(missing);
  return { ...usable, payment: undefined };
}

/**
 * Returns a student's address, which like the tier cannot change until the transaction ends. Throws `package_owned` for one who has a package or
 * a better one (PAY-9), and `not_signed_in` when the account has just been deleted.
 */
export async function requireNotOwned(tx: Transaction, userId: string, packageType: PackageType): Promise<string> {
  return addressUnlessOwned(await holdTier(tx, userId), packageType);
}

function addressUnlessOwned(held: HeldTier | undefined, packageType: PackageType): string {
  if (held === undefined) throw new ProductError("not_signed_in");
  if (includesPackage(held.tier, packageType)) throw new ProductError("package_owned");
  return held.email;
}

/**
 * Returns a student's own upload, which nobody else takes until the transaction ends. Throws `upload_not_found`, or `upload_used` when
 * a request has it, or a further part of one. A retry that comes at the same time is told apart afterwards (PAY-3).
 */
export async function unusedScreenshot(tx: Transaction, payer: Principal, uploadId: string): Promise<Screenshot> {
  // Prepared queries are sent in order: the uses are read once the lock is held.
  const [screenshot, ...uses] = await together(
    lockOwnScreenshot(tx, uploadId, payer.id),
    queries.existsRequestOfScreenshot(tx, uploadId),
    existsPartOfScreenshot(tx, uploadId),
  );
  if (!screenshot) throw new ProductError("upload_not_found");
  if (uses.includes(true)) throw new ProductError("upload_used");
  return screenshot;
}

async function usableQuote(
  tx: Transaction,
  payer: Principal,
  quoteId: string,
  now: Date,
): Promise<Pick<CheckedSubmission, "email" | "quoted">> {
  const [quoted, held] = await together(findQuotedPayment(tx, quoteId, payer.id), holdTier(tx, payer.id));
  if (!quoted) throw new ProductError("quote_not_found");
  const email = addressUnlessOwned(held, quoted.package_type);
  if (quoted.is_void) throw new ProductError("quote_void");
  if (quoted.expires_at <= now || isAhead(quoted.created_at, now)) throw new ProductError("quote_expired");
  return { email, quoted };
}

async function checkPayment(
  tx: Transaction,
  payer: Principal,
  quoteId: string,
  claim: PaymentClaim,
  now: Date,
): Promise<CheckedSubmission> {
  // The account is locked before the screenshot, as when it is deleted.
  const [{ email, quoted }, screenshot] = await together(
    usableQuote(tx, payer, quoteId, now),
    unusedScreenshot(tx, payer, claim.upload_id),
  );
  const earlier = await earlierOf(tx, payer, claim, quoted.package_type);
  const method = methodDue(quoted, claim.crypto_type, earlier?.method);
  return { email, quoted, payment: { method, screenshot, reference: claim.reference, earlier } };
}

/**
 * Returns what is due by a method. One that the owner has removed keeps the destination of the earlier quote for whoever paid by that, and has
 * the present amount (QUOTE-6). Throws `method_unavailable`.
 */
function methodDue(quoted: QuotedPayment, cryptoType: CryptoType, paid: QuotedMethod | undefined): QuotedMethod {
  const method = quoted.methods.find(({ crypto_type }) => crypto_type === cryptoType);
  if (method?.available) return method;
  // Stryker disable next-line ConditionFalse,LogicalOperator: every quote has every method.
  if (!method || !paid) throw new ProductError("method_unavailable");
  return { ...paid, amount_crypto: method.amount_crypto };
}

/** Returns what the payer's own earlier quote for the same package promised; throws `quote_not_found` for any other quote. */
async function earlierOf(
  connection: Connection,
  payer: Principal,
  { paid_quote_id, crypto_type }: PaymentClaim,
  packageType: PackageType,
): Promise<CheckedPayment["earlier"]> {
  if (paid_quote_id === null) return undefined;
  const earlier = await findQuotedPayment(connection, paid_quote_id, payer.id);
  const method = earlier && availableMethod(earlier, crypto_type);
  if (!method || earlier.package_type !== packageType) throw new ProductError("quote_not_found");
  return { amount_usd: earlier.amount_usd, created_at: earlier.created_at, method };
}

/** Returns the request that this submission made before; throws `idempotency_key_reused` when its key made a different one. */
export async function findSameSubmission(
  connection: Connection,
  payer: Principal,
  { quote_id, claim }: SubmissionInput,
  idempotencyKey: string,
): Promise<queries.PaymentRequestRow | undefined> {
  const row = await queries.findByIdempotencyKey(connection, payer.id, idempotencyKey);
  if (!row) return undefined;
  const isSame =
    row.quote_id === quote_id &&
    row.crypto_type === (claim?.crypto_type ?? null) &&
    row.screenshot_object_id === (claim?.upload_id ?? null) &&
    row.reference === (claim?.reference ?? null) &&
    (await isSamePaidQuote(connection, payer, row.earlier_quoted_at, claim?.paid_quote_id ?? null));
  if (!isSame) throw new ProductError("idempotency_key_reused");
  return row;
}

/** Returns whether a request names the same earlier quote; a quote deleted since cannot be compared and counts as the same. */
async function isSamePaidQuote(
  connection: Connection,
  payer: Principal,
  quotedAt: Date | null,
  paidQuoteId: string | null,
): Promise<boolean> {
  if (quotedAt === null || paidQuoteId === null) return quotedAt === null && paidQuoteId === null;
  const earlier = await findQuotedPayment(connection, paidQuoteId, payer.id);
  return earlier === undefined || earlier.created_at.getTime() === quotedAt.getTime();
}
