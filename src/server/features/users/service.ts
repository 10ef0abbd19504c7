import type { ListedUser } from "#domain/api/users";
import { ProductError } from "#domain/messages";
import type { SubscriptionStatus } from "#domain/packages";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor } from "../../platform/audit.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { cursorKey, decodeCursor, defaultPageSize, pageOf } from "../../platform/http/cursor.ts";
import * as queries from "./queries.ts";

/**
 * Returns a page of students, newest first, optionally only those whose e-mail or name contains a text (ADMIN-2). Throws
 * `invalid_input` for a cursor that is not ours.
 */
export async function listUsers(
  deps: Dependencies,
  page: { limit?: number | undefined; cursor?: string | undefined; search?: string | undefined },
): Promise<{ users: ListedUser[]; next_cursor: string | null }> {
  const limit = page.limit ?? defaultPageSize;
  const search = page.search?.trim() || undefined;
  const after = page.cursor === undefined ? undefined : lastSeen(page.cursor);
  const rows = await queries.listStudents(deps.db, { after, search, limit: limit + 1 });
  const { items, next_cursor } = pageOf(rows, limit, (row) => [row.created_at_exact, row.id]);
  return { users: items.map(listed), next_cursor };
}

function lastSeen(cursor: string): { createdAt: string; id: string } {
  const [createdAt, id] = decodeCursor(cursor, [cursorKey.time, cursorKey.id]);
  return { createdAt, id };
}

/**
 * Sets a student's tier to any value, the admin's dropdown (PACKAGE-2), with its audit row. Throws `user_not_found` or
 * `admin_account_fixed`.
 */
export function setTier(deps: Dependencies, actor: Actor, userId: string, tier: SubscriptionStatus): Promise<ListedUser> {
  return transaction(deps.db, async (tx) => {
    const user = await lockStudent(tx, userId);
    await queries.setTier(tx, userId, tier);
    await recordAudit(tx, actor, {
      at: deps.clock.now(),
      action: "user.tier",
      subject: { type: "account", id: userId },
      details: { email: user.email, before: user.subscription_status, after: tier },
    });
    return listed({ ...user, subscription_status: tier });
  });
}

/**
 * Deletes a student: the sessions end at once, account, profile and codes go; payment requests and screenshots stay with e-mail
 * and name as they were (ACCOUNT-8). Throws `user_not_found` or `admin_account_fixed`.
 */
export function removeUser(deps: Dependencies, actor: Actor, userId: string): Promise<void> {
  return transaction(deps.db, async (tx) => {
    const user = await lockStudent(tx, userId);
    await queries.deleteAccount(tx, userId);
    await recordAudit(tx, actor, {
      at: deps.clock.now(),
      action: "user.delete",
      subject: { type: "account", id: userId },
      details: { email: user.email, full_name: user.full_name, subscription_status: user.subscription_status },
    });
  });
}

async function lockStudent(tx: Transaction, userId: string): Promise<queries.UserRow> {
  const user = await queries.lockUser(tx, userId);
  if (!user) throw new ProductError("user_not_found");
  if (user.role === "admin") throw new ProductError("admin_account_fixed");
  return user;
}

function listed(row: queries.UserRow): ListedUser {
  return {
    id: row.id,
    email: row.email,
    user_metadata: { full_name: row.full_name },
    subscription_status: row.subscription_status,
    email_verified: row.email_verified,
    created_at: row.created_at.toISOString(),
    last_sign_in_at: row.last_sign_in_at?.toISOString() ?? null,
  };
}
