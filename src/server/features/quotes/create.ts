import type { Quote } from "#domain/api/payments/quotes";
import { clockToleranceSeconds } from "#domain/clock-tolerance";
import { discountPercent } from "#domain/payments/coupon";
import { ProductError } from "#domain/errors/messages";
import type { PackageType } from "#domain/packages";
import { priceOf, quoteLifetimeSeconds } from "#domain/payments/quote";
import type { Dependencies } from "../../dependencies.ts";
import { secondsAfter } from "../../platform/clock.ts";
import { violatesForeignKey } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Principal } from "../../platform/http/access.ts";
import type { Limit } from "../../platform/http/rate-limit.ts";
import { retentionSeconds } from "../../platform/retention/periods.ts";
import { findCoupon, holdUse } from "../coupons/service.ts";
import { currentSettings } from "../wallet-settings/service.ts";
import { refusalToSell } from "./for-sale.ts";
import { endSlackSeconds, methodsOfQuote } from "./methods.ts";
import * as queries from "./queries.ts";
import { holdCredit, upgradeCredit } from "./upgrade-credit.ts";
import { quoteView } from "./views.ts";

const quoteLimit: Limit = { name: "quote", points: 120, seconds: 600 };

/** Other quotes that are compared with a new one (QUOTE-6). */
const maxComparedQuotes = 50;

export interface QuoteChoice {
  package_type: PackageType;
  coupon_code?: string | null | undefined;
  /** The student's own quote that the page displayed before (QUOTE-7). */
  replaces?: string | undefined;
}

/**
 * Stores and returns a quote: amounts and destinations of all methods, valid for 30 minutes (QUOTE-1, QUOTE-2). Throws `unavailable`, `package_owned`,
 * `payment_request_open`, `coupon_empty`, `coupon_invalid`, `coupon_other_package`, `coupon_used_up`, `not_signed_in` when the account has just been deleted, or
 * `too_many_requests`.
 */
export async function createQuote(deps: Dependencies, student: Principal, choice: QuoteChoice): Promise<Quote> {
  const { id: userId } = student;
  await deps.limits.consume(quoteLimit, userId);
  const refusal = await refusalToSell(deps.db, student, choice.package_type);
  if (refusal) throw new ProductError(refusal);
  const holder = { userId, packageType: choice.package_type };
  const coupon = typeof choice.coupon_code === "string" ? await findCoupon(deps, choice.coupon_code, holder) : undefined;
  const credit = await upgradeCredit(deps, userId, choice.package_type);
  const price = priceOf(choice.package_type, coupon ? discountPercent(coupon, choice.package_type) : "0", credit);
  const now = deps.clock.now();
  const settings = await currentSettings(deps.db, now);
  const expires_at = secondsAfter(now, quoteLifetimeSeconds);
  const terms = { ...holder, amountUsd: price.amountUsd, createdAt: now, expiresAt: expires_at };
  const methods = await methodsOfQuote(deps, settings, { ...terms, replaces: choice.replaces }).catch(accountGone);
  const quote = {
    user_id: userId,
    package_type: choice.package_type,
    coupon_code: coupon?.code ?? null,
    discount_percent: price.discountPercent,
    original_usd: price.originalUsd,
    upgrade_credit_usd: price.upgradeCreditUsd,
    amount_usd: price.amountUsd,
    methods,
    is_sample: settings.is_sample,
    generation: settings.quote_generation,
    created_at: now,
    expires_at,
    // The student has just seen it give way, as to a coupon.
    replaces: choice.replaces ?? null,
  };
  const forgottenBefore = secondsAfter(now, -retentionSeconds.endedQuotes);
  const hasCredit = price.upgradeCreditUsd !== "0";
  // Stryker disable next-line ConditionTrue: a transaction more, for one statement.
  const isHeld = coupon !== undefined || hasCredit;
  const row = await (
    isHeld
      ? transaction(deps.db, async (tx) => {
          if (hasCredit) await holdCredit(tx, userId, credit);
          if (coupon) await holdUse(tx, coupon, holder, now);
          return queries.insertQuote(tx, quote, forgottenBefore);
        })
      : queries.insertQuote(deps.db, quote, forgottenBefore)
  ).catch(accountGone);
  const others = await queries.findAllOthers(deps.db, row, {
    time: secondsAfter(now, endSlackSeconds),
    madeBy: secondsAfter(now, clockToleranceSeconds),
    forgottenBefore,
    limit: maxComparedQuotes,
  });
  return quoteView(row, others, { isCouponHeld: coupon?.max_uses != null });
}

/** The account may have been deleted since the session was checked. */
function accountGone(error: unknown): never {
  throw violatesForeignKey(error) ? new ProductError("not_signed_in") : error;
}
