import { canonical, decimal, rounded } from "./money.ts";
import { packages, type PackageType } from "./packages.ts";
import type { CryptoType, WalletSettings } from "./wallet-settings.ts";

/** Seconds a quote holds (QUOTE-2). */
export const quoteLifetimeSeconds = 30 * 60;

/** Baht per USD, fixed (QUOTE-4). */
export const bahtPerUsd = "35";

/** Digits after the point, by method (QUOTE-3). */
export const amountPlaces: Record<CryptoType, number> = { bitcoin: 8, ethereum: 8, thai_bank: 2 };

export interface Price {
  /** USD, decimal strings without rounding; original minus discount minus credit equals amount to the last digit. */
  originalUsd: string;
  discountUsd: string;
  /** What was paid for Starter, as far as there is something left to take it off. */
  upgradeCreditUsd: string;
  amountUsd: string;
  discountPercent: string;
}

/**
 * What a package costs in USD: a percent off its price, then a credit. `percent` is a decimal string from 0 to 100, `creditUsd`
 * one that is not negative.
 */
export function priceOf(packageType: PackageType, percent = "0", creditUsd = "0"): Price {
  return discounted(packages[packageType].priceUsd, percent, creditUsd);
}

/** Price times (1 minus percent/100), not rounded (QUOTE-3, QUOTE-4), minus the credit, never below 0. */
export function discounted(priceUsd: string, percent: string, creditUsd = "0"): Price {
  const original = decimal(priceUsd);
  const discount = original.times(percent).div(100);
  const left = original.minus(discount);
  const credit = left.lt(creditUsd) ? left : decimal(creditUsd);
  return {
    originalUsd: canonical(original),
    discountUsd: canonical(discount),
    upgradeCreditUsd: canonical(credit),
    amountUsd: canonical(left.minus(credit)),
    discountPercent: canonical(percent),
  };
}

/** USD (decimal string) in a method's own currency: satoshi-exact 8 decimals for crypto, 2 for baht, half up. */
export function amountInCurrency(amountUsd: string, cryptoType: CryptoType, settings: WalletSettings): string {
  const usd = decimal(amountUsd);
  switch (cryptoType) {
    case "bitcoin":
      return rounded(usd.div(settings.bitcoin_price_usd), amountPlaces.bitcoin);
    case "ethereum":
      return rounded(usd.div(settings.ethereum_price_usd), amountPlaces.ethereum);
    case "thai_bank":
      return rounded(usd.times(bahtPerUsd), amountPlaces.thai_bank);
  }
}

/**
 * What an amount of a coin is worth at the present price: USD with 2 decimals. Null for baht, whose rate is fixed.
 */
export function usdAtCurrentPrice(amount: string, cryptoType: CryptoType, settings: WalletSettings): string | null {
  if (cryptoType === "thai_bank") return null;
  const price = cryptoType === "bitcoin" ? settings.bitcoin_price_usd : settings.ethereum_price_usd;
  return rounded(decimal(amount).times(price), 2);
}

export interface QuotedMethod {
  crypto_type: CryptoType;
  /** Whether the operator has set it up; one that is not cannot be chosen (QUOTE-5). */
  available: boolean;
  amount_crypto: string;
  /** The address, or bank name and account number (WALLET-1); empty when not available. */
  wallet_address: string;
}

/** All three methods of one quote, in the order of the page: Bitcoin first. */
export function quoteMethods(amountUsd: string, settings: WalletSettings): QuotedMethod[] {
  const destinations: Record<CryptoType, string> = {
    bitcoin: settings.bitcoin_address,
    ethereum: settings.ethereum_address,
    thai_bank: bankDestination(settings),
  };
  return (["bitcoin", "ethereum", "thai_bank"] as const).map((crypto_type) => ({
    crypto_type,
    available: destinations[crypto_type] !== "",
    amount_crypto: amountInCurrency(amountUsd, crypto_type, settings),
    wallet_address: destinations[crypto_type],
  }));
}

function bankDestination(settings: WalletSettings): string {
  const { thai_bank_name: bank, thai_bank_account_number: account } = settings;
  return bank && account ? `${bank} ${account}` : "";
}
