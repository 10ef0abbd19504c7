import type { GrantPackage, ListedUser } from "#domain/api/users";
import { ProductError } from "#domain/errors/messages";
import { includesPackage } from "#domain/packages";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit } from "../../platform/audit.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { ActingAdmin } from "../../platform/http/origin.ts";
import { changeTier } from "../payment-requests/service.ts";
import { grantedMail } from "./mail.ts";
import { lockStudent } from "./manage.ts";
import { userView } from "./views.ts";

/**
 * Gives a student a package for free: sets the tier, without a payment request or a receipt, notes the reason in the audit log, and mails the
 * student (USER-5). Returns the student. Throws `user_not_found`, `admin_account_fixed`, `user_not_verified`, and `user_owns_package` when the
 * student has the package or a better one.
 */
export function grantPackage(
  deps: Dependencies,
  { actor, origin }: ActingAdmin,
  userId: string,
  { package_type, reason }: GrantPackage,
): Promise<ListedUser> {
  return transaction(deps.db, async (tx) => {
    const user = await lockStudent(tx, userId);
    if (!user.email_verified) throw new ProductError("user_not_verified");
    const before = user.subscription_status;
    if (includesPackage(before, package_type)) throw new ProductError("user_owns_package");
    await changeTier(deps, tx, { id: userId, email: user.email, before, after: package_type, origin });
    await recordAudit(tx, actor, {
      at: deps.clock.now(),
      action: "user.grant",
      subject: { type: "account", id: userId },
      details: { email: user.email, before, after: package_type, reason },
    });
    await deps.outbox.enqueue(tx, grantedMail(deps.config.site, origin, user, package_type));
    return userView({ ...user, subscription_status: package_type });
  });
}
