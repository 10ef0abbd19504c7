import { checkBitcoinAddress } from "./bitcoin-address.ts";
import { checkEthereumAddress } from "./ethereum-address.ts";
import { decimal, isPlainDecimal } from "./money.ts";
import { normalisePromptPayId } from "./promptpay.ts";

export const cryptoTypes = ["bitcoin", "ethereum", "thai_bank"] as const;
export type CryptoType = (typeof cryptoTypes)[number];

/** The single row of `wallet_settings` (WALLET-1); prices are USD decimal strings, empty means not set up. */
export interface WalletSettings {
  bitcoin_address: string;
  ethereum_address: string;
  bitcoin_price_usd: string;
  ethereum_price_usd: string;
  thai_bank_name: string;
  thai_bank_account_number: string;
  thai_bank_account_name: string;
  /** A PromptPay ID of the same account, digits alone; adds a QR code to the bank transfer. */
  promptpay_id: string;
}

/** Fallback prices (QUOTE-5); no address until the admin gives one. */
export const defaultWalletSettings: WalletSettings = {
  bitcoin_address: "",
  ethereum_address: "",
  bitcoin_price_usd: "45000",
  ethereum_price_usd: "3000",
  thai_bank_name: "",
  thai_bank_account_number: "",
  thai_bank_account_name: "",
  promptpay_id: "",
};

/** A coin's price in USD below or above these is a mistake, of the admin or of the price service. */
export const leastPriceUsd = "0.01";
export const mostPriceUsd = "100000000";

/** Whether a text is a coin's price: a plain decimal within the bounds, with at most 2 digits after the point. */
export function isPriceUsd(text: string): boolean {
  return isPlainDecimal(text, 2) && decimal(text).gte(leastPriceUsd) && decimal(text).lte(mostPriceUsd);
}

const destinationFields = [
  "bitcoin_address",
  "ethereum_address",
  "thai_bank_name",
  "thai_bank_account_number",
  "thai_bank_account_name",
  "promptpay_id",
] as const satisfies (keyof WalletSettings)[];

/** The form in which a place is stored; undefined for what is no such place. */
const normalised: Partial<Record<keyof WalletSettings, (text: string) => string | undefined>> = {
  bitcoin_address: (text) => checkBitcoinAddress(text).address,
  ethereum_address: (text) => checkEthereumAddress(text).address,
  promptpay_id: normalisePromptPayId,
};

/**
 * The fields that say where money goes and differ: changing one needs the admin's password (HTTP contract). The same place written
 * in another way, such as an address without its capitals, is no change.
 */
export function changedDestinations(before: WalletSettings, after: WalletSettings): string[] {
  return destinationFields.filter((field) => {
    const place = (text: string): string => normalised[field]?.(text) ?? text;
    return place(before[field]) !== place(after[field]);
  });
}

export const methodNames: Record<CryptoType, string> = {
  bitcoin: "Bitcoin",
  ethereum: "Ethereum",
  thai_bank: "Thai Bank Transfer",
};

/** The currency sign beside an amount; the admin's list shows THB for the bank (DECIDE-5). */
export const methodCurrencies: Record<CryptoType, string> = { bitcoin: "BTC", ethereum: "ETH", thai_bank: "THB" };
