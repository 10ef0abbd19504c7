import { isSameDestination, paymentMethod, type QuotedMethod } from "./methods.ts";
import type { WalletSettings } from "./settings.ts";

/** Addresses from the examples in BIP 173 and EIP-55, and a bank that does not exist. They are valid in form, but nobody must pay to them. */
export const sampleDestinationFields = {
  bitcoin_address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  ethereum_address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  thai_bank_name: "Sample Bank of Thailand",
  thai_bank_account_number: "000-0-00000-0",
  thai_bank_account_name: "Sample account, do not pay",
  promptpay_id: "0000000000",
} satisfies Partial<WalletSettings>;

/** Returns whether a payment goes to the sample's destination (WALLET-7). */
export function isSampleDestination({ crypto_type, wallet_address }: SampledMethod): boolean {
  // A destination is made of these fields alone. The others' defaults would load the checks of addresses with every payment page.
  const sample = paymentMethod(crypto_type).destination(sampleDestinationFields as Partial<WalletSettings> as WalletSettings);
  return isSameDestination(crypto_type, sample, wallet_address);
}

type SampledMethod = Pick<QuotedMethod, "crypto_type" | "wallet_address">;
