import { clientDevice } from "../../../platform/http/client/client-device.ts";
import { forAdmin } from "../../../platform/http/router.ts";
import { setPriceBounds } from "./bounds.ts";
import { fetchCoinPrices } from "./fetch.ts";
import { listCoinPrices } from "./read.ts";
import { setCoinPrice } from "./set.ts";

export const coinPriceRoutes = {
  list: forAdmin.coinPrices.list.handler(({ context }) => listCoinPrices(context.deps)),
  fetch: forAdmin.coinPrices.fetch.handler(({ context }) =>
    fetchCoinPrices(context.deps, context.principal, { actor: context.actor, device: clientDevice(context.request) }),
  ),
  set: forAdmin.coinPrices.set.handler(({ context, input: { params, body } }) =>
    setCoinPrice(
      context.deps,
      context.principal,
      { actor: context.actor, device: clientDevice(context.request) },
      { ...params, ...body },
    ),
  ),
  setBounds: forAdmin.coinPrices.setBounds.handler(({ context, input: { params, body } }) =>
    setPriceBounds(context.deps, context.actor, params.coin, body),
  ),
};
