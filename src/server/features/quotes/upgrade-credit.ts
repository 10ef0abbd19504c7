import type { UpgradeOffer } from "#domain/api/payments/quotes";
import { ProductError } from "#domain/errors/messages";
import type { PackageType } from "#domain/packages";
import { priceOf } from "#domain/payments/quote";
import type { Dependencies } from "../../dependencies.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { holdTier } from "../users/service.ts";
import { findPaidForStarter } from "./queries.ts";

/** Returns what Advanced costs a student now, without a coupon and less their upgrade credit (PACKAGE-4). */
export async function upgradeOffer(deps: Dependencies, userId: string): Promise<UpgradeOffer> {
  const price = priceOf("advanced", "0", await upgradeCredit(deps, userId, "advanced"));
  return { original_usd: price.originalUsd, upgrade_credit_usd: price.upgradeCreditUsd, amount_usd: price.amountUsd };
}

/** Returns the USD paid for Starter that are taken off a package; "0" for Starter itself or without `UPGRADE_CREDIT`. */
export async function upgradeCredit(deps: Dependencies, userId: string, packageType: PackageType): Promise<string> {
  // Stryker disable next-line RightOperand: nobody who has paid for Starter gets a quote for it.
  if (!deps.config.payments.upgradeCredit || packageType !== "advanced") return "0";
  return (await findPaidForStarter(deps.db, userId)) ?? "0";
}

/**
 * Holds a student's upgrade credit for the quote that the same transaction stores, since an approval and its undoing lock the tier (REOPEN-5).
 * Throws `unavailable` when it has changed at this moment, or `not_signed_in` when the account has just been deleted.
 */
export async function holdCredit(tx: Transaction, userId: string, credit: string): Promise<void> {
  if ((await holdTier(tx, userId)) === undefined) throw new ProductError("not_signed_in");
  if ((await findPaidForStarter(tx, userId)) !== credit) throw new ProductError("unavailable");
}
