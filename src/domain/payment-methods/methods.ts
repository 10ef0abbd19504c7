import { decimal } from "../money.ts";
import { bitcoin } from "./bitcoin/method.ts";
import { bitcoinTexts } from "./bitcoin/texts.ts";
import { ethereum } from "./ethereum/method.ts";
import { ethereumTexts } from "./ethereum/texts.ts";
import type { BankAccount, PaymentCode, PaymentMethod } from "./method.ts";
import type { WalletSettings } from "./settings.ts";
import { thaiBank } from "./thai-bank/method.ts";
import { thaiBankTexts } from "./thai-bank/texts.ts";

/** Every way to pay, in the order of the page: Bitcoin first. */
export const paymentMethods = { bitcoin, ethereum, thai_bank: thaiBank } satisfies Record<
  string,
  PaymentMethod<WalletSettings>
>;

/** What can be wrong with a field of the settings, by code. */
export const methodTexts = { ...bitcoinTexts, ...ethereumTexts, ...thaiBankTexts };

export type CryptoType = keyof typeof paymentMethods;

export const cryptoTypes = Object.keys(paymentMethods) as [CryptoType, ...CryptoType[]];

/** Returns a method by the `crypto_type` of a quote or a payment request. */
export function paymentMethod(cryptoType: CryptoType): PaymentMethod<WalletSettings> {
  return paymentMethods[cryptoType];
}

/** Returns an amount of a method with its currency, for people to read: thousands separated, `10,468.50 THB` (TEXT-3). */
export function amountText(cryptoType: CryptoType, amount: string): string {
  return `${amountFormats.get(cryptoType)!.format(amount as `${number}`)} ${paymentMethod(cryptoType).currency}`;
}

/** Made once: that takes longer than a hundred amounts. */
const amountFormats = new Map(cryptoTypes.map((cryptoType) => [cryptoType, amountFormat(paymentMethod(cryptoType))]));

function amountFormat({ places }: { places: number }): Intl.NumberFormat {
  return new Intl.NumberFormat("en-US", { minimumFractionDigits: places, maximumFractionDigits: places });
}

/** What a quote promises for one method. */
export interface QuotedMethod {
  crypto_type: CryptoType;
  /** Whether the owner has set it up; one that is not cannot be chosen (QUOTE-5). */
  available: boolean;
  /** In the method's currency, a decimal string. */
  amount_crypto: string;
  /** Where to pay; empty when not available. */
  wallet_address: string;
  /** Whether the last digits of the amount are this quote's alone (QUOTE-8). */
  own_digits?: boolean | undefined;
  bank?: BankAccount | undefined;
}

/** Returns all methods of a quote of `amountUsd`, a decimal string. */
export function quoteMethods(amountUsd: string, settings: WalletSettings): QuotedMethod[] {
  return cryptoTypes.map((crypto_type) => {
    const method = paymentMethod(crypto_type);
    return methodTo(crypto_type, method.destination(settings), method.amountFor(amountUsd, settings), settings);
  });
}

/** Returns a method as it is quoted for a destination; with an empty one it is not available (QUOTE-5). */
export function methodTo(
  crypto_type: CryptoType,
  wallet_address: string,
  amount_crypto: string,
  settings: WalletSettings,
): QuotedMethod {
  const available = wallet_address !== "";
  const bank = available ? paymentMethod(crypto_type).bank?.(settings) : undefined;
  return { crypto_type, available, amount_crypto, wallet_address, ...(bank && { bank }) };
}

/** Returns a destination of a method as it is compared: a bank account without the blanks and dashes that group its digits. */
export function comparableDestination(cryptoType: CryptoType, destination: string): string {
  return paymentMethod(cryptoType).comparable?.(destination) ?? destination;
}

/** Returns whether two destinations of a method are the same, which may be written in another way. */
export function isSameDestination(cryptoType: CryptoType, one: string, other: string): boolean {
  return comparableDestination(cryptoType, one) === comparableDestination(cryptoType, other);
}

/** The settings by which quotes are made, with those of the addresses in question that were derived from a present key. */
export interface PresentSettings extends WalletSettings {
  given_addresses: ReadonlySet<string>;
  /** The same, but for destinations that are not quoted yet (GUARD-5). */
  saved: WalletSettings;
}

/** Returns whether a destination that was quoted before is still in the settings, or derived from the key there. */
export function isCurrentDestination(cryptoType: CryptoType, destination: string, settings: PresentSettings): boolean {
  const isGiven = cryptoType === "bitcoin" && settings.given_addresses.has(destination);
  const present = [settings, settings.saved].map((one) => paymentMethod(cryptoType).destination(one));
  return isGiven || present.some((one) => isSameDestination(cryptoType, one, destination));
}

/** Returns the QR code of a quoted method; undefined when there is nothing to pay or nothing to scan. */
export function paymentCode(quoted: QuotedMethod, receiver: string): PaymentCode | undefined {
  const { crypto_type, available, amount_crypto: amount, wallet_address: destination, bank } = quoted;
  if (!available || decimal(amount).eq(0)) return undefined;
  return paymentMethod(crypto_type).code({ amount, destination, bank }, receiver);
}
