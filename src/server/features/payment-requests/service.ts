import type { PaymentRequest, Receipt, ReviewedPaymentRequest } from "#domain/api/payment-requests";
import { ProductError } from "#domain/messages";
import { approvalSample } from "#domain/payment-request";
import type { Dependencies } from "../../dependencies.ts";
import { secondsAfter } from "../../platform/clock.ts";
import type { Principal } from "../../platform/http/access.ts";
import { cursorKey, decodeCursor, defaultPageSize, pageOf } from "../../platform/http/cursor.ts";
import type { SignedLink } from "../../platform/storage/object-store.ts";
import { currentSettings } from "../wallet-settings/service.ts";
import * as decisions from "./decide.ts";
import { screenshotComparison, withScreenshotComparisons } from "./likenesses.ts";
import * as queries from "./queries.ts";
import { shownAsReceipt, shownToAdmin, shownToPayer } from "./shown.ts";

export type { Decider } from "./decide.ts";
export { submitPaymentRequest } from "./submit.ts";

/** Seconds a screenshot's link is valid (FILE-2). */
const screenshotLinkSeconds = 5 * 60;

export interface Page {
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** Every request with its payer, newest first (DECIDE-5). */
export async function listPaymentRequests(
  deps: Dependencies,
  { limit = defaultPageSize, cursor, ...filter }: Page & queries.ReviewFilter,
): Promise<{ items: ReviewedPaymentRequest[]; next_cursor: string | null }> {
  const search = filter.search?.trim() || undefined;
  const [rows, prices] = await Promise.all([
    queries.listForReview(deps.db, { ...filter, search }, lastSeen(cursor), limit + 1),
    currentSettings(deps.db),
  ]);
  const page = pageOf(rows, limit, (row) => [row.id]);
  const items = page.items.map((row) => shownToAdmin(row, prices));
  return { ...page, items: await withScreenshotComparisons(deps.db, items) };
}

/** As `approvePaymentRequest` of `decide.ts`; shown with the requests that have the same screenshot. */
export async function approvePaymentRequest(
  deps: Dependencies,
  decider: decisions.Decider,
  id: string,
  confirmDowngrade: boolean,
): Promise<ReviewedPaymentRequest> {
  return withMatches(deps, await decisions.approvePaymentRequest(deps, decider, id, confirmDowngrade));
}

/** As `rejectPaymentRequest` of `decide.ts`; shown with the requests that have the same screenshot. */
export async function rejectPaymentRequest(
  deps: Dependencies,
  decider: decisions.Decider,
  id: string,
  reason: string,
): Promise<ReviewedPaymentRequest> {
  return withMatches(deps, await decisions.rejectPaymentRequest(deps, decider, id, reason));
}

async function withMatches(deps: Dependencies, request: ReviewedPaymentRequest): Promise<ReviewedPaymentRequest> {
  return { ...request, ...(await screenshotComparison(deps.db, request.id)) };
}

/** A student's own requests, newest first (PAY-6). */
export async function listOwnPaymentRequests(
  deps: Dependencies,
  userId: string,
  { limit = defaultPageSize, cursor }: Page,
): Promise<{ items: PaymentRequest[]; next_cursor: string | null }> {
  const page = pageOf(await queries.listOwn(deps.db, userId, lastSeen(cursor), limit + 1), limit, (row) => [row.id]);
  return { ...page, items: page.items.map(shownToPayer) };
}

/**
 * A link to the screenshot for its owner or the admin, valid for minutes (FILE-2). Throws `payment_request_not_found`,
 * also for another student's, so that ids cannot be probed.
 */
export async function screenshotLink(deps: Dependencies, viewer: Principal, id: string): Promise<SignedLink> {
  const request = await visibleRequest(deps, viewer, id);
  return deps.objects.sign("payment-screenshots", request.screenshot_url, viewer.id, screenshotLinkSeconds);
}

/**
 * The receipt of an approved payment, for its payer or the admin. Throws `payment_request_not_found`, also for another student's,
 * and `receipt_not_found` before the approval.
 */
export async function findReceipt(deps: Dependencies, viewer: Principal, id: string): Promise<Receipt> {
  const receipt = shownAsReceipt(await visibleRequest(deps, viewer, id));
  if (!receipt) throw new ProductError("receipt_not_found");
  return receipt;
}

/** Seconds that approvals typically took lately, a median; null while there are too few to say. */
export async function typicalApprovalSeconds(deps: Dependencies): Promise<number | null> {
  const since = secondsAfter(deps.clock.now(), -approvalSample.days * 24 * 3600);
  const { count, median } = await queries.approvalSeconds(deps.db, since, approvalSample.newest);
  return count < approvalSample.atLeast || median === null ? null : Math.round(median);
}

async function visibleRequest(deps: Dependencies, viewer: Principal, id: string): Promise<queries.PaymentRequestRow> {
  const request = await queries.findById(deps.db, id);
  const isTheirs = viewer.role === "admin" || request?.user_id === viewer.id;
  if (!request || !isTheirs) throw new ProductError("payment_request_not_found");
  return request;
}

function lastSeen(cursor: string | undefined): string | undefined {
  return cursor === undefined ? undefined : decodeCursor(cursor, [cursorKey.id])[0];
}
