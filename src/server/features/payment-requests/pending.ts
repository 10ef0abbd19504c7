import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { ProductError } from "#domain/errors/messages";
import { canDecide } from "#domain/payments/payment-request";
import type { Dependencies } from "../../dependencies.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { lockTier, type LockedTier } from "../users/service.ts";
import * as queries from "./queries.ts";
import { reviewedViews } from "./review.ts";

export interface LockedRequest {
  request: queries.PaymentRequestRow;
  /** The payer's tier; undefined once the account is deleted. */
  payer: LockedTier | undefined;
  /** Where the payer is mailed: at the present address (OWN-3), and once the account is deleted at that of the submit (ACCOUNT-8). */
  email: string;
}

/**
 * Returns a request and its payer's tier, both locked. The payer is locked first, as when a user is deleted, so that the two never
 * deadlock. Throws `payment_request_not_found`.
 */
export async function lockRequest(tx: Transaction, id: string): Promise<LockedRequest> {
  const seen = await queries.findById(tx, id);
  if (!seen) throw new ProductError("payment_request_not_found");
  const payer = seen.user_id === null ? undefined : await lockTier(tx, seen.user_id);
  const request = await queries.lockById(tx, id);
  if (!request) throw new ProductError("payment_request_not_found");
  return { request, payer, email: payer?.email ?? request.payer_email };
}

/** Locks as `lockRequest` does. Throws `payment_request_not_found` or `payment_request_decided` (with who decided). */
export async function lockPending(tx: Transaction, id: string): Promise<LockedRequest> {
  const locked = await lockRequest(tx, id);
  const { status, decided_by } = locked.request;
  if (canDecide(status)) return locked;
  throw new ProductError("payment_request_decided", { text: `This payment request was already ${status} by ${decided_by}.` });
}

/** Returns a request as the admin sees it, after an action. */
export async function reviewedView(deps: Dependencies, row: queries.ReviewedRow): Promise<ReviewedPaymentRequest> {
  const [view] = await reviewedViews(deps, [row]);
  return view!;
}
