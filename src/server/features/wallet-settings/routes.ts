import { clientDevice } from "../../platform/http/client/client-device.ts";
import { forAdmin } from "../../platform/http/router.ts";
import { getWalletSettings, saveWalletSettings } from "./manage.ts";
import { fetchCryptoPrice } from "./prices/public-price.ts";

export const walletSettingsRoutes = {
  get: forAdmin.walletSettings.get.handler(({ context }) => getWalletSettings(context.deps)),
  put: forAdmin.walletSettings.put.handler(({ context, input }) =>
    saveWalletSettings(context.deps, context.principal, { actor: context.actor, device: clientDevice(context.request) }, input),
  ),
  cryptoPrice: forAdmin.walletSettings.cryptoPrice.handler(({ context, input }) =>
    fetchCryptoPrice(context.deps, context.principal.id, input.params.coin),
  ),
};
