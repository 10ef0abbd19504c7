import type {
  PaymentRequest,
  PaymentRequestCounts,
  PaymentRequestDetail,
  Receipt,
} from "#domain/api/payments/payment-requests";
import { ProductError } from "#domain/errors/messages";
import { approvalSample } from "#domain/payments/payment-request";
import type { Dependencies } from "../../dependencies.ts";
import { auditEntryView, findAuditOf } from "../../platform/audit.ts";
import { secondsAfter } from "../../platform/clock.ts";
import type { Principal } from "../../platform/http/access.ts";
import { cursorKey, decodeCursor, defaultPageSize, pageOf, type Page, type PageQuery } from "../../platform/http/cursor.ts";
import type { SignedLink } from "../../platform/storage/downloads/signed-links.ts";
import { findAllPaymentTotals } from "../totals/service.ts";
import { presentSettings } from "./present-settings.ts";
import * as queries from "./queries.ts";
import { findAllCancelledReceipts } from "./reopen/queries.ts";
import { reviewedViews } from "./review.ts";
import { cancelledReceiptView, paymentRequestView, receiptView } from "./views.ts";
import { toldRequest } from "./rest/destination.ts";
import { withParts, type WithParts } from "./rest/queries.ts";

/** Seconds a screenshot's link is valid (FILE-2). */
const screenshotLinkSeconds = 5 * 60;

/** What the page of one request has of its student's other requests and of the audit log. */
const maxHistory = 20;
const maxAuditEntries = 50;

/** Returns how many requests have each status, and how many pending ones are flagged, from the totals (STATS-2). */
export async function countPaymentRequests(deps: Dependencies): Promise<PaymentRequestCounts> {
  const counts = { pending: 0, approved: 0, rejected: 0, flagged: 0 };
  for (const { status, flagged, requests } of await findAllPaymentTotals(deps.db)) {
    counts[status] += requests;
    if (flagged) counts.flagged += requests;
  }
  return counts;
}

/**
 * Returns one request with its evidence, its student's other requests and its audit log (EVIDENCE-4). Throws
 * `payment_request_not_found`.
 */
export async function findPaymentRequest(deps: Dependencies, id: string): Promise<PaymentRequestDetail> {
  const row = await queries.findForReview(deps.db, id);
  if (!row) throw new ProductError("payment_request_not_found");
  const [[view], quotedAt, others, audit, cancelled] = await Promise.all([
    reviewedViews(deps, [row]),
    queries.findQuoteTime(deps.db, id),
    row.user_id === null ? [] : queries.findAllByPayer(deps.db, row.user_id, undefined, maxHistory + 1),
    findAuditOf(deps.db, { type: "payment-request", id }, maxAuditEntries),
    findAllCancelledReceipts(deps.db, id),
  ]);
  const history = others.filter((other) => other.id !== id).slice(0, maxHistory);
  const settings = await presentSettings(deps, history);
  return {
    ...view!,
    quoted_at: quotedAt?.toISOString() ?? null,
    history: (await withParts(deps.db, history)).map((other) => paymentRequestView(other, settings)),
    audit: audit.map(auditEntryView),
    cancelled_receipts: cancelled.map(cancelledReceiptView),
  };
}

/** Returns a page of a student's own requests, newest first (PAY-6). Throws `invalid_input` for a malformed cursor. */
export async function listOwnPaymentRequests(
  deps: Dependencies,
  userId: string,
  { limit = defaultPageSize, cursor }: PageQuery,
): Promise<Page<PaymentRequest>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, [cursorKey.id])[0];
  const rows = await queries.findAllByPayer(deps.db, userId, after, limit + 1);
  const page = pageOf(rows, limit, (row) => [row.id]);
  const told = await Promise.all(page.items.map((row) => toldRequest(deps, row)));
  const settings = await presentSettings(deps, told);
  const items = await withParts(deps.db, told);
  return { ...page, items: items.map((row) => paymentRequestView(row, settings)) };
}

/**
 * Returns a link to the screenshot, or to that of a further part, for its owner or the admin, valid for 5 minutes (FILE-2). Throws
 * `payment_request_not_found`, also for another student's request, so that ids cannot be probed, `screenshot_none` where there was
 * nothing to pay, and `not_found` for a part that the request does not have.
 */
export async function screenshotLink(
  deps: Dependencies,
  viewer: Principal,
  id: string,
  partId: string | undefined,
): Promise<SignedLink> {
  const request = await findVisibleRequest(deps, viewer, id);
  if (request.screenshot_url === null) throw new ProductError("screenshot_none");
  const proof = partId === undefined ? request : request.parts.find((part) => part.id === partId);
  if (!proof?.screenshot_url) throw new ProductError("not_found");
  return deps.links.sign("payment-screenshots", proof.screenshot_url, viewer, screenshotLinkSeconds);
}

/**
 * Returns the receipt of an approved payment, for its payer or the admin. Throws `payment_request_not_found`, also for another
 * student's request, and `receipt_not_found` before the approval.
 */
export async function findReceipt(deps: Dependencies, viewer: Principal, id: string): Promise<Receipt> {
  const request = await findVisibleRequest(deps, viewer, id);
  const receipt = receiptView(request, await presentSettings(deps, [request]));
  if (!receipt) throw new ProductError("receipt_not_found");
  return receipt;
}

/** Returns the median time of recent approvals in seconds, or null when there are too few (PAY-7). */
export async function typicalApprovalSeconds(deps: Dependencies): Promise<number | null> {
  const since = secondsAfter(deps.clock.now(), -approvalSample.days * 24 * 3600);
  const { count, median } = await queries.findApprovalDurations(deps.db, since, approvalSample.newest);
  return count < approvalSample.atLeast || median === null ? null : Math.round(median);
}

async function findVisibleRequest(deps: Dependencies, viewer: Principal, id: string): Promise<WithParts> {
  const row = await queries.findById(deps.db, id);
  const mayView = viewer.role === "admin" || row?.user_id === viewer.id;
  if (!row || !mayView) throw new ProductError("payment_request_not_found");
  const [request] = await withParts(deps.db, [row]);
  return request!;
}
