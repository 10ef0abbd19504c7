import { addressField, priceField } from "../settings-fields.ts";
import { checkEthereumAddress } from "./address.ts";

/** What the owner sets for Ethereum. */
export const ethereumSettings = {
  ethereum_address: addressField("Ethereum address", checkEthereumAddress, "ethereum_address"),
  ethereum_price_usd: priceField("Ethereum", {
    coin: "ethereum",
    initial: "3000",
    failed: "ethereum_price_failed",
  }),
};
