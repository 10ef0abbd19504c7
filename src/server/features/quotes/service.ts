import type { EarlierQuote, Quote, UpgradeOffer } from "#domain/api/quotes";
import { discountPercent } from "#domain/coupon";
import { ProductError } from "#domain/messages";
import type { PackageType } from "#domain/packages";
import { quoteMethods, type CryptoType, type QuotedMethod } from "#domain/payment-methods/methods";
import { discounted, priceOf, quoteLifetimeSeconds } from "#domain/quote";
import type { Dependencies } from "../../dependencies.ts";
import { secondsAfter } from "../../platform/clock.ts";
import { violatedConstraint, type Connection } from "../../platform/db/database.ts";
import { findCoupon } from "../coupons/service.ts";
import { currentSettings } from "../wallet-settings/service.ts";
import * as queries from "./queries.ts";

const requests = { name: "quote", points: 120, seconds: 600 };

/** Seconds an unused quote is kept after its end: a bank transfer may take days, and whoever sent it says by which quote. */
const keptAfterExpirySeconds = 7 * 24 * 3600;

/** A browser may see a quote end a moment before the server does. */
const endSlackSeconds = 30;

/** How many earlier quotes are looked at, and how many different ones are told. */
const earlierQuotes = { read: 50, told: 3 };

export interface QuoteChoice {
  package_type: PackageType;
  coupon_code?: string | null | undefined;
}

/**
 * Fixes the amounts and destinations of all three methods for 30 minutes (QUOTE-1, QUOTE-2). Throws `coupon_empty`,
 * `coupon_invalid`, `not_signed_in` when the account has just been deleted, or `too_many_requests`.
 */
export async function createQuote(deps: Dependencies, userId: string, choice: QuoteChoice): Promise<Quote> {
  await deps.limits.consume(requests, userId);
  const coupon = typeof choice.coupon_code === "string" ? await findCoupon(deps, userId, choice.coupon_code) : undefined;
  const settings = await currentSettings(deps.db);
  const credit = await upgradeCredit(deps, userId, choice.package_type);
  const price = priceOf(choice.package_type, coupon ? discountPercent(coupon, choice.package_type) : "0", credit);
  const now = deps.clock.now();
  await queries.removeUnusedBefore(deps.db, userId, secondsAfter(now, -keptAfterExpirySeconds));
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
  const row = await queries.insert(deps.db, quote).catch(accountGone);
  const ended = await queries.endedBefore(deps.db, row, secondsAfter(now, endSlackSeconds), earlierQuotes.read);
  return { ...shown(row), earlier: differing(row, ended) };
}

/** The account may be deleted since the session was checked. */
function accountGone(error: unknown): never {
  throw violatedConstraint(error) === "quotes_user_id_fkey" ? new ProductError("not_signed_in") : error;
}

/** What Advanced costs this student now, without a coupon: full, or less what they paid for Starter (UPGRADE_CREDIT). */
export async function upgradeOffer(deps: Dependencies, userId: string): Promise<UpgradeOffer> {
  const price = priceOf("advanced", "0", await upgradeCredit(deps, userId, "advanced"));
  return { original_usd: price.originalUsd, upgrade_credit_usd: price.upgradeCreditUsd, amount_usd: price.amountUsd };
}

/** USD paid for Starter that count for this package: "0" unless the operator gives them back on the way up. */
async function upgradeCredit(deps: Dependencies, userId: string, packageType: PackageType): Promise<string> {
  if (!deps.config.upgradeCredit || packageType !== "advanced") return "0";
  return (await queries.paidForStarter(deps.db, userId)) ?? "0";
}

/** What a payment request takes over from the student's own quote. */
export interface QuotedPayment {
  package_type: PackageType;
  coupon_code: string | null;
  discount_percent: string;
  original_usd: string;
  upgrade_credit_usd: string;
  amount_usd: string;
  created_at: Date;
  expires_at: Date;
  method: QuotedMethod;
}

/** The figures that a quote of this student promised for one method; undefined when it is not theirs or unknown. */
export async function quotedPayment(
  connection: Connection,
  quoteId: string,
  userId: string,
  cryptoType: CryptoType,
): Promise<QuotedPayment | undefined> {
  const row = await queries.findOwn(connection, quoteId, userId);
  const method = row?.methods.find((quoted) => quoted.crypto_type === cryptoType);
  if (!row || !method) return undefined;
  return { ...row, method };
}

/** Those of earlier quotes that promised something else than this one and than each other. */
function differing(row: queries.QuoteRow, earlier: queries.QuoteRow[]): EarlierQuote[] {
  const told = new Map<string, EarlierQuote | undefined>([[JSON.stringify(usableMethods(row)), undefined]]);
  for (const before of earlier) {
    const methods = usableMethods(before);
    const key = JSON.stringify(methods);
    if (methods.length === 0 || told.has(key)) continue;
    told.set(key, { id: before.id, amount_usd: before.amount_usd, created_at: before.created_at.toISOString(), methods });
  }
  return [...told.values()].filter((quote) => quote !== undefined).slice(0, earlierQuotes.told);
}

function usableMethods(row: queries.QuoteRow): EarlierQuote["methods"] {
  return row.methods
    .filter(({ available }) => available)
    .map(({ crypto_type, amount_crypto, wallet_address }) => ({ crypto_type, amount_crypto, wallet_address }));
}

function shown(row: queries.QuoteRow): Omit<Quote, "earlier"> {
  return {
    id: row.id,
    package_type: row.package_type,
    coupon_code: row.coupon_code,
    discount_percent: row.discount_percent,
    original_usd: row.original_usd,
    discount_usd: discounted(row.original_usd, row.discount_percent).discountUsd,
    upgrade_credit_usd: row.upgrade_credit_usd,
    amount_usd: row.amount_usd,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    is_sample: row.is_sample,
    methods: row.methods,
  };
}
