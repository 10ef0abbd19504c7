import * as z from "zod/mini";
import type { ListSort } from "#domain/api/fields";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import type { Dependencies } from "../../../dependencies.ts";
import { cursorKey, decodeCursor, defaultPageSize, pageOf, type Page, type PageQuery } from "../../../platform/http/cursor.ts";
import { finishedReply } from "../../../platform/http/replies/finished-reply.ts";
import { reviewedViews } from "../review.ts";
import type { ReviewFilter } from "./conditions.ts";
import { findAllForReview } from "./queries.ts";

export interface ReviewList extends ReviewFilter, PageQuery {
  sort?: ListSort | undefined;
}

/**
 * Returns a page of the requests that pass a filter, with their payers, newest first unless sorted otherwise (DECIDE-5, LIST-1). Throws
 * `invalid_input` for a malformed cursor or one of the other order.
 */
export async function listPaymentRequests(
  deps: Dependencies,
  { sort = "newest", limit = defaultPageSize, cursor, ...filter }: ReviewList,
): Promise<Page<ReviewedPaymentRequest>> {
  const after = cursor === undefined ? undefined : lastSeen(cursor, sort);
  const rows = await findAllForReview(deps.db, { filter, sort, after, limit: limit + 1 });
  const page = pageOf(rows, limit, (row) => [sort, row.created_at_exact, row.id]);
  const items = await reviewedViews(deps, page.items);
  return finishedReply<Page<ReviewedPaymentRequest>>({
    items: JSON.stringify(items),
    next_cursor: JSON.stringify(page.next_cursor),
  });
}

function lastSeen(cursor: string, sort: ListSort): { createdAt: string; id: string } {
  const [, createdAt, id] = decodeCursor(cursor, [z.literal(sort), cursorKey.time, cursorKey.id]);
  return { createdAt, id };
}
