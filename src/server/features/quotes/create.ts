import type { Quote } from "#domain/api/quotes";
import { discountPercent } from "#domain/payments/coupon";
import { ProductError } from "#domain/errors/messages";
import type { PackageType } from "#domain/packages";
import { quoteMethods } from "#domain/payment-methods/methods";
import { priceOf, quoteLifetimeSeconds } from "#domain/payments/quote";
import type { Dependencies } from "../../dependencies.ts";
import { secondsAfter } from "../../platform/clock.ts";
import { violatedConstraint } from "../../platform/db/database.ts";
import type { Principal } from "../../platform/http/access.ts";
import type { Limit } from "../../platform/http/rate-limit.ts";
import { findCoupon } from "../coupons/service.ts";
import { currentSettings } from "../wallet-settings/service.ts";
import { refusalToSell } from "./for-sale.ts";
import * as queries from "./queries.ts";
import { upgradeCredit } from "./upgrade-credit.ts";
import { quoteView } from "./views.ts";

const quoteLimit: Limit = { name: "quote", points: 120, seconds: 600 };

/** Seconds an unused quote is kept after its end, since a bank transfer may take days (QUOTE-6). */
const keptAfterExpirySeconds = 7 * 24 * 3600;

/** A browser's clock may end a quote earlier than the server does. */
const endSlackSeconds = 30;

/** Ended quotes that are compared with a new one. */
const maxComparedQuotes = 50;

export interface QuoteChoice {
  package_type: PackageType;
  coupon_code?: string | null | undefined;
}

/**
 * Stores and returns a quote: amounts and destinations of all methods, valid for 30 minutes (QUOTE-1, QUOTE-2). Throws `package_owned`,
 * `payment_request_open`, `coupon_empty`, `coupon_invalid`, `not_signed_in` when the account has just been deleted, or
 * `too_many_requests`.
 */
export async function createQuote(deps: Dependencies, student: Principal, choice: QuoteChoice): Promise<Quote> {
  const { id: userId } = student;
  await deps.limits.consume(quoteLimit, userId);
  const refusal = await refusalToSell(deps.db, student, choice.package_type);
  if (refusal) throw new ProductError(refusal);
  const coupon = typeof choice.coupon_code === "string" ? await findCoupon(deps, userId, choice.coupon_code) : undefined;
  const settings = await currentSettings(deps.db);
  const credit = await upgradeCredit(deps, userId, choice.package_type);
  const price = priceOf(choice.package_type, coupon ? discountPercent(coupon, choice.package_type) : "0", credit);
  const now = deps.clock.now();
  await queries.deleteUnusedBefore(deps.db, userId, secondsAfter(now, -keptAfterExpirySeconds));
  const quote = {
    user_id: userId,
    package_type: choice.package_type,
    coupon_code: coupon?.code ?? null,
    discount_percent: price.discountPercent,
    original_usd: price.originalUsd,
    upgrade_credit_usd: price.upgradeCreditUsd,
    amount_usd: price.amountUsd,
    methods: quoteMethods(price.amountUsd, settings),
    is_sample: settings.is_sample,
    created_at: now,
    expires_at: secondsAfter(now, quoteLifetimeSeconds),
  };
  const row = await queries.insertQuote(deps.db, quote).catch(accountGone);
  const ended = await queries.findAllEndedBefore(deps.db, row, secondsAfter(now, endSlackSeconds), maxComparedQuotes);
  return quoteView(row, ended);
}

/** The account may have been deleted since the session was checked. */
function accountGone(error: unknown): never {
  throw violatedConstraint(error) === "quotes_user_id_fkey" ? new ProductError("not_signed_in") : error;
}
