import type { ListedUser } from "#domain/api/users";
import { ProductError } from "#domain/errors/messages";
import type { SubscriptionStatus } from "#domain/packages";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor } from "../../platform/audit.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { ActingAdmin } from "../../platform/http/origin.ts";
import { deleteAccount, requireStudentAccount } from "../auth/service.ts";
import { changeTier, withdrawRests } from "../payment-requests/service.ts";
import * as queries from "./queries.ts";
import { userView } from "./views.ts";

/** A change of a student's tier; `expected` is the tier it was decided on, `undoes` the number of the change it undoes. */
interface TierChange {
  userId: string;
  newRole: SubscriptionStatus;
  expected?: SubscriptionStatus | undefined;
  undoes?: number | undefined;
}

/**
 * Sets a student's tier to any value (PACKAGE-2) and returns the student with the number of this change. Throws `user_not_found`,
 * `admin_account_fixed`, or `tier_changed` when the student has another tier than `expected` or the tier was set since `undoes` (USER-2).
 */
export function setTier(
  deps: Dependencies,
  { actor, origin }: ActingAdmin,
  { userId, newRole: tier, expected, undoes }: TierChange,
): Promise<{ user: ListedUser; change: number }> {
  return transaction(deps.db, async (tx) => {
    const user = await lockStudent(tx, userId);
    const before = user.subscription_status;
    const isAsMeant = (expected ?? before) === before && (undoes ?? user.tier_changes) === user.tier_changes;
    if (!isAsMeant) throw new ProductError("tier_changed");
    const change = await changeTier(deps, tx, { id: userId, email: user.email, before, after: tier, origin });
    await recordAudit(tx, actor, {
      at: deps.clock.now(),
      action: "user.tier",
      subject: { type: "account", id: userId },
      details: { email: user.email, before, after: tier },
    });
    return { user: userView({ ...user, subscription_status: tier }), change };
  });
}

/**
 * Deletes a student with sessions, profile and codes; payment requests and screenshots stay, with e-mail and name as they were
 * (ACCOUNT-8). Throws `user_not_found` or `admin_account_fixed`.
 */
export function deleteUser(deps: Dependencies, actor: Actor, userId: string): Promise<void> {
  return transaction(deps.db, async (tx) => {
    const user = await lockStudent(tx, userId);
    await withdrawRests(deps, tx, userId);
    await deleteAccount(tx, userId);
    await recordAudit(tx, actor, {
      at: deps.clock.now(),
      action: "user.delete",
      subject: { type: "account", id: userId },
      details: { before: { email: user.email, full_name: user.full_name, tier: user.subscription_status } },
    });
  });
}

/** Returns a student, locked until the transaction ends. Throws `user_not_found` or `admin_account_fixed`. */
export async function lockStudent(tx: Transaction, userId: string): Promise<queries.UserRow> {
  return requireStudentAccount(await queries.lockById(tx, userId));
}
