import type { CoinPrice } from "#domain/api/payments/coin-prices";
import { canonical, decimal } from "#domain/money";
import { priceNameOf, type Coin } from "#domain/payment-methods/settings";
import type { Dependencies } from "../../../dependencies.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { isProven, type Principal } from "../../../platform/http/access.ts";
import { lockCaller } from "../../auth/service.ts";
import { currentSettings } from "../current.ts";
import { changeLimit, recordPriceChanges, type ChangedBy } from "../guard/record.ts";
import { lockSettings } from "../queries.ts";
import { requireUsualPrices } from "./public-price.ts";
import { findKnownPrice } from "./queries.ts";
import { storePrice } from "./store.ts";
import { coinPriceView } from "./views.ts";

/**
 * Sets one coin's price, USD as a decimal string, or confirms it when it is equal (PRICE-1), and returns it. Throws `step_up_needed` for
 * an unusual price in a session that is not proven (STEPUP-2), `too_many_requests`, and `not_signed_in` when the session has ended meanwhile.
 */
export async function setCoinPrice(
  deps: Dependencies,
  principal: Principal,
  by: ChangedBy,
  { coin, usd }: { coin: Coin; usd: string },
): Promise<CoinPrice> {
  const name = priceNameOf(coin);
  await deps.limits.consume(changeLimit, principal.id);
  if (!isProven(principal, deps.clock.now())) {
    const settings = await currentSettings(deps.db, deps.clock.now());
    await requireUsualPrices(deps, principal.id, settings, { ...settings, [name]: usd });
  }
  return transaction(deps.db, async (tx) => {
    await lockSettings(tx);
    // An undo may have ended the session while this waited for it (GUARD-2).
    await lockCaller(deps, tx, principal);
    const at = deps.clock.now();
    const before = (await currentSettings(tx, at))[name];
    const known = (await findKnownPrice(tx, coin)).public.usd;
    const source = known !== null && decimal(known).eq(usd) ? "price-service" : "admin";
    await storePrice(tx, by.actor, { coin, before, usd, source, at });
    await recordPriceChanges(deps, tx, { ...by, at }, { [name]: { before, after: canonical(usd) } });
    return coinPriceView(await findKnownPrice(tx, coin), canonical(usd), at);
  });
}
