import * as z from "zod/mini";
import type { ListedUser, UserSort } from "#domain/api/users";
import type { SubscriptionStatus } from "#domain/packages";
import type { Dependencies } from "../../dependencies.ts";
import { cursorKey, decodeCursor, defaultPageSize, pageOf, type Page, type PageQuery } from "../../platform/http/cursor.ts";
import { findAllStudents } from "./list-queries.ts";
import { userView } from "./views.ts";

interface UserQuery extends PageQuery {
  search?: string | undefined;
  tier?: SubscriptionStatus | undefined;
  sort?: UserSort | undefined;
}

/**
 * Returns a page of students, newest first unless `sort` says otherwise, optionally only those of a tier and those whose e-mail or name contains
 * `search` (ADMIN-2, LIST-4). Throws `invalid_input` for a malformed cursor and for one of another order.
 */
export async function listUsers(
  deps: Dependencies,
  { limit = defaultPageSize, cursor, search, tier, sort = "newest" }: UserQuery,
): Promise<Page<ListedUser>> {
  const after = cursor === undefined ? undefined : lastSeen(cursor, sort);
  const filter = { search: search?.trim() || undefined, tier };
  const rows = await findAllStudents(deps.db, filter, { sort, after, limit: limit + 1 });
  const { items, next_cursor } = pageOf(rows, limit, (row) => [sort, row.sort_time, row.id]);
  return { items: items.map(userView), next_cursor };
}

function lastSeen(cursor: string, sort: UserSort): { time: string; id: string } {
  const [, time, id] = decodeCursor(cursor, [z.literal(sort), cursorKey.time, cursorKey.id]);
  return { time, id };
}
