import { canonical } from "#domain/money";
import { priceNameOf, type Coin } from "#domain/payment-methods/settings";
import { holdReasonOf, type HoldReason } from "#domain/payments/coin-price";
import type { Config } from "../../../config.ts";
import type { Actor } from "../../../platform/audit.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { originWithoutRequest } from "../../../platform/http/origin.ts";
import type { Outbox } from "../../../platform/mail/outbox.ts";
import { currentSettings } from "../current.ts";
import { lockSettings } from "../queries.ts";
import { heldPriceMail } from "./mail.ts";
import { askPublicPrice, type PriceParts } from "./public-price.ts";
import { lockCoinPrice, updateCoinPrice, type CoinPriceRow } from "./queries.ts";
import { storePrice } from "./store.ts";

/** Seconds between two mails about one coin, however often its price goes in and out of the bounds. */
const mailAgainSeconds = 24 * 3600;

/** Who acts in the audit log. */
const system: Actor = { id: null, email: "system", ip: "" };

export interface RefreshParts extends PriceParts {
  config: Pick<Config, "admin" | "payments" | "server" | "site">;
  outbox: Outbox;
}

/**
 * Takes a coin's public price, or holds it and warns the admin (PRICE-4, PRICE-5). Does nothing when the service states no price, when
 * there are no settings yet, and when the price is changed while the service is asked.
 */
export async function refreshCoinPrice(parts: RefreshParts, coin: Coin, stop: AbortSignal): Promise<void> {
  const name = priceNameOf(coin);
  const before = (await currentSettings(parts.db, parts.clock.now()))[name];
  const usd = await askPublicPrice(parts, coin, stop);
  if (usd === undefined) return;
  await transaction(parts.db, async (tx) => {
    const settings = await lockSettings(tx);
    if (!settings || canonical(settings[name]) !== before) return;
    const row = await lockCoinPrice(tx, coin);
    const reason = holdReasonOf(usd, before, row);
    const at = parts.clock.now();
    if (reason !== undefined) await holdPrice(parts, tx, { row, before, usd, reason, at });
    else await storePrice(tx, system, { coin, before, usd, source: "price-service", at });
  });
}

interface HeldPrice {
  row: CoinPriceRow;
  before: string;
  usd: string;
  reason: HoldReason;
  at: Date;
}

/** The admin gets one mail for as long as the price is held, and not more than one a day: a hold that begins sooner is mailed after it. */
async function holdPrice(
  { config, outbox }: RefreshParts,
  tx: Transaction,
  { row, before, usd, reason, at }: HeldPrice,
): Promise<void> {
  const isQuiet =
    row.mailed_at !== null && (isOfThisHold(row.mailed_at, row) || at < secondsAfter(row.mailed_at, mailAgainSeconds));
  await updateCoinPrice(tx, row.coin, { held_reason: reason, ...(isQuiet ? {} : { mailed_at: at }) });
  if (isQuiet) return;
  const origin = originWithoutRequest(config.server);
  await outbox.enqueue(tx, heldPriceMail({ site: config.site, origin }, config.admin.email, { ...row, before, usd, reason }));
}

/** A hold ends when the price is set or confirmed, so a mail after that is about the present one. */
function isOfThisHold(mailedAt: Date, { set_at }: CoinPriceRow): boolean {
  // Stryker disable next-line LeftOperand: every time is later than none.
  return set_at === null || mailedAt > set_at;
}
