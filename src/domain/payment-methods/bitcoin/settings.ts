import { addressField, keyField, priceField } from "../settings-fields.ts";
import { checkBitcoinAddress } from "./address.ts";
import { checkExtendedKey } from "./extended-key.ts";

/** What the owner sets for Bitcoin. */
export const bitcoinSettings = {
  /** Required unless there is a key (WALLET-1, WALLET-4). */
  bitcoin_address: addressField("Bitcoin address", checkBitcoinAddress, "bitcoin_address", false),
  bitcoin_xpub: keyField(
    {
      label: "Bitcoin account key (xpub, ypub or zpub)",
      hint: "The extended public key of your wallet's account: every quote gets an address of its own from it, and the address below may stay empty.",
    },
    checkExtendedKey,
    "bitcoin_xpub",
  ),
  bitcoin_price_usd: priceField("Bitcoin", { coin: "bitcoin", initial: "45000", failed: "bitcoin_price_failed" }),
};
