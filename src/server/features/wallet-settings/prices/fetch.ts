import type { FetchedPrice } from "#domain/api/payments/coin-prices";
import type { FieldChanges } from "#domain/guard/changes";
import { canonical } from "#domain/money";
import { coins, priceNameOf, type Coin } from "#domain/payment-methods/settings";
import { holdReasonOf } from "#domain/payments/coin-price";
import type { Dependencies } from "../../../dependencies.ts";
import type { Principal } from "../../../platform/http/access.ts";
import { lockCaller } from "../../auth/service.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { currentSettings } from "../current.ts";
import { changeLimit, recordPriceChanges, type ChangedBy } from "../guard/record.ts";
import { lockSettings } from "../queries.ts";
import { askPublicPrice, priceLimit } from "./public-price.ts";
import { findAllKnownPrices, lockCoinPrice } from "./queries.ts";
import { storePrice } from "./store.ts";

interface StatedPrice {
  coin: Coin;
  /** Undefined when the service states none. */
  usd: string | undefined;
}

/**
 * Takes every public price that is within the owner's bounds and at most 20% off the price so far, and returns what became of each
 * (PRICE-3). Throws `too_many_requests`, as after too many saves where a price would change (GUARD-1), and `not_signed_in` when the session
 * has ended meanwhile.
 */
export async function fetchCoinPrices(deps: Dependencies, admin: Principal, by: ChangedBy): Promise<{ items: FetchedPrice[] }> {
  await deps.limits.consume(priceLimit, admin.id);
  const stated = await Promise.all(coins.map(async (coin) => ({ coin, usd: await askPublicPrice(deps, coin) })));
  if (await wouldChange(deps, stated)) await deps.limits.consume(changeLimit, admin.id);
  return transaction(deps.db, async (tx) => {
    await lockSettings(tx);
    // An undo may have ended the session while this waited for it (GUARD-2).
    await lockCaller(deps, tx, admin);
    const at = deps.clock.now();
    const settings = await currentSettings(tx, at);
    const items: FetchedPrice[] = [];
    const changes: FieldChanges = {};
    for (const { coin, usd } of stated) {
      const before = settings[priceNameOf(coin)];
      const known = await lockCoinPrice(tx, coin);
      const kept = usd === undefined ? "no_public_price" : (holdReasonOf(usd, before, known) ?? null);
      if (kept === null) {
        await storePrice(tx, by.actor, { coin, before, usd: usd!, source: "price-service", at });
        changes[priceNameOf(coin)] = { before, after: canonical(usd!) };
      }
      items.push({ coin, before_usd: before, public_usd: usd ?? null, kept });
    }
    await recordPriceChanges(deps, tx, { ...by, at }, changes);
    return { items };
  });
}

/** Returns whether a stated price that differs from the one so far would be taken. */
async function wouldChange({ db, clock }: Dependencies, stated: readonly StatedPrice[]): Promise<boolean> {
  const settings = await currentSettings(db, clock.now());
  const known = await findAllKnownPrices(db);
  return stated.some(({ coin, usd }) => {
    const before = settings[priceNameOf(coin)];
    if (usd === undefined || canonical(usd) === before) return false;
    return holdReasonOf(usd, before, known.find(({ own }) => own.coin === coin)!.own) === undefined;
  });
}
