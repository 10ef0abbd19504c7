import { addressField, priceField } from "../settings-fields.ts";
import { checkBitcoinAddress } from "./address.ts";

/** What the owner sets for Bitcoin. */
export const bitcoinSettings = {
  bitcoin_address: addressField("Bitcoin address", checkBitcoinAddress, "bitcoin_address"),
  bitcoin_price_usd: priceField("Bitcoin", { coin: "bitcoin", initial: "45000", failed: "bitcoin_price_failed" }),
};
