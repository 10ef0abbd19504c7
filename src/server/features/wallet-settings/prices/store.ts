import { canonical } from "#domain/money";
import {
  defaultWalletSettings,
  priceNameOf,
  priceNames,
  settingsFields,
  type Coin,
  type PriceName,
  type WalletSettings,
} from "#domain/payment-methods/settings";
import type { PriceSource } from "#domain/payments/coin-price";
import { recordAudit, type Actor } from "../../../platform/audit.ts";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { updatePrices } from "../queries.ts";
import { findAllKnownPrices, updateCoinPrice } from "./queries.ts";

/** A price in USD, a decimal string, and who set it when. */
interface NewPrice {
  coin: Coin;
  before: string;
  usd: string;
  source: PriceSource;
  at: Date;
}

/** Returns when each price was last set, fetched or confirmed; null for a default that nobody set (PRICE-1). */
export async function pricesUpdatedAt(connection: Connection): Promise<Record<Coin, string | null>> {
  const rows = await findAllKnownPrices(connection);
  return Object.fromEntries(rows.map(({ own: { coin, set_at } }) => [coin, set_at?.toISOString() ?? null])) as Record<
    Coin,
    string | null
  >;
}

/** Records that the admin set the prices that differ; an unchanged one keeps its age (PRICE-1). */
export async function recordChangedPrices(
  tx: Transaction,
  before: WalletSettings,
  after: WalletSettings,
  at: Date,
): Promise<void> {
  for (const name of changedPrices(before, after)) await recordSet(tx, settingsFields[name].coin, "admin", at);
}

/** Records that an undo put back the prices that differ; a default counts as never set again, and as one whose hold was never mailed (PRICE-1). */
export async function recordRestoredPrices(
  tx: Transaction,
  before: WalletSettings,
  after: WalletSettings,
  at: Date,
): Promise<void> {
  for (const name of changedPrices(before, after)) {
    const { coin } = settingsFields[name];
    const isDefault = canonical(after[name]) === canonical(defaultWalletSettings[name]);
    if (isDefault) await updateCoinPrice(tx, coin, { set_at: null, set_by: null, held_reason: null, mailed_at: null });
    else await recordSet(tx, coin, "admin", at);
  }
}

function changedPrices(before: WalletSettings, after: WalletSettings): PriceName[] {
  return priceNames.filter((name) => canonical(before[name]) !== canonical(after[name]));
}

/** Stores a price, or confirms an equal one, with its age and an entry of the audit log. Lock the wallet settings first. */
export async function storePrice(tx: Transaction, actor: Actor, { coin, before, usd, source, at }: NewPrice): Promise<void> {
  await updatePrices(tx, { [priceNameOf(coin)]: usd }, at);
  await recordSet(tx, coin, source, at);
  await recordAudit(tx, actor, {
    at,
    action: canonical(before) === canonical(usd) ? "coin-price.confirm" : "coin-price.set",
    subject: { type: "coin-price", id: coin },
    details: { before, after: usd, source },
  });
}

/** A refresh that was held is decided by the new price. */
function recordSet(tx: Transaction, coin: Coin, source: PriceSource, at: Date): Promise<void> {
  return updateCoinPrice(tx, coin, { set_at: at, set_by: source, held_reason: null });
}
