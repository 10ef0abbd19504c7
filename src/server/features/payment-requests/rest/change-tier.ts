import { includesPackage, type SubscriptionStatus } from "#domain/packages";
import type { Dependencies } from "../../../dependencies.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { updateTier } from "../../users/service.ts";
import { restAskedMail, restKey } from "./mail.ts";
import { findAllAsked } from "./queries.ts";

/** A change of a student's tier; the student is locked. */
export interface TierChange {
  id: string;
  /** Where the student is mailed. */
  email: string;
  before: SubscriptionStatus;
  after: SubscriptionStatus;
  /** Where the mail's link leads to; undefined when the request's own origin is not trusted. */
  origin: string | undefined;
}

/**
 * Sets a student's tier and returns the number of this change. A mail that asks for a rest is withdrawn where the rest is no longer owed, and sent
 * after all where it is owed again (PART-4).
 */
export async function changeTier(deps: Dependencies, tx: Transaction, change: TierChange): Promise<number> {
  const { id, email, before, after, origin } = change;
  for (const request of await findAllAsked(tx, id)) {
    const isOwed = !includesPackage(after, request.package_type);
    if (isOwed === !includesPackage(before, request.package_type)) continue;
    const unknown = await deps.outbox.withdrawAll(tx, [restKey(request)], "Not sent, because the student has the package.");
    if (isOwed && unknown.size > 0) {
      await deps.outbox.enqueue(tx, restAskedMail({ site: deps.config.site, origin }, email, request));
    }
  }
  return updateTier(tx, id, after);
}

/** Withdraws the mails that ask a student for a rest, before the account is deleted (PART-4). */
export async function withdrawRests(
  { outbox }: Pick<Dependencies, "outbox">,
  tx: Transaction,
  studentId: string,
): Promise<void> {
  const keys = (await findAllAsked(tx, studentId)).map(restKey);
  await outbox.withdrawAll(tx, keys, "Not sent, because the account was deleted.");
}
