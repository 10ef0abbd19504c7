import { forAdmin } from "../../../platform/http/router.ts";
import { setPriceBounds } from "./bounds.ts";
import { fetchCoinPrices } from "./fetch.ts";
import { listCoinPrices } from "./read.ts";
import { setCoinPrice } from "./set.ts";

export const coinPriceRoutes = {
  list: forAdmin.coinPrices.list.handler(({ context }) => listCoinPrices(context.deps)),
  fetch: forAdmin.coinPrices.fetch.handler(({ context }) => fetchCoinPrices(context.deps, context.principal.id, context.actor)),
  set: forAdmin.coinPrices.set.handler(({ context, input: { params, body } }) =>
    setCoinPrice(context.deps, context.principal, context.actor, { ...params, ...body }),
  ),
  setBounds: forAdmin.coinPrices.setBounds.handler(({ context, input: { params, body } }) =>
    setPriceBounds(context.deps, context.actor, params.coin, body),
  ),
};
