import type { ListedUser } from "#domain/api/users";
import type { Dependencies } from "../../dependencies.ts";
import { cursorKey, decodeCursor, defaultPageSize, pageOf } from "../../platform/http/cursor.ts";
import * as queries from "./queries.ts";
import { userView } from "./views.ts";

/**
 * Returns a page of students, newest first, optionally only those whose e-mail or name contains `search` (ADMIN-2). Throws
 * `invalid_input` for a malformed cursor.
 */
export async function listUsers(
  deps: Dependencies,
  page: { limit?: number | undefined; cursor?: string | undefined; search?: string | undefined },
): Promise<{ users: ListedUser[]; next_cursor: string | null }> {
  const limit = page.limit ?? defaultPageSize;
  const search = page.search?.trim() || undefined;
  const after = page.cursor === undefined ? undefined : lastSeen(page.cursor);
  const rows = await queries.findAllStudents(deps.db, { after, search, limit: limit + 1 });
  const { items, next_cursor } = pageOf(rows, limit, (row) => [row.created_at_exact, row.id]);
  return { users: items.map(userView), next_cursor };
}

function lastSeen(cursor: string): { createdAt: string; id: string } {
  const [createdAt, id] = decodeCursor(cursor, [cursorKey.time, cursorKey.id]);
  return { createdAt, id };
}
