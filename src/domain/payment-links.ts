import { canonical, decimal } from "./money.ts";
import { promptPayPayload } from "./promptpay.ts";
import type { CryptoType } from "./wallet-settings.ts";

/** Digits of a wei after the point of one ether. */
const weiPlaces = 18;

/** Ethereum's main network (EIP-155). */
const chainId = 1;

/**
 * A `bitcoin:` link (BIP 21) that asks for an amount of BTC, a decimal string. A segwit address is written in lower case: upper
 * case makes a smaller QR code, and some wallets refuse it.
 */
export function bitcoinLink(address: string, amount: string, label?: string): string {
  const target = /^bc1/i.test(address) ? address.toLowerCase() : address;
  const named = label ? `&label=${encodeURIComponent(label)}` : "";
  return `bitcoin:${target}?amount=${canonical(amount)}${named}`;
}

/** An `ethereum:` link (EIP-681) that asks for an amount of ETH, a decimal string, in whole wei on the main network. */
export function ethereumLink(address: string, amount: string): string {
  return `ethereum:${address}@${chainId}?value=${smallestUnits(amount, weiPlaces)}`;
}

/** An amount in whole smallest units (satoshi 8, wei 18, satang 2 places). Throws a RangeError when some would be lost. */
export function smallestUnits(amount: string, places: number): string {
  const units = decimal(amount).times(decimal("10").pow(places));
  if (!units.eq(units.round(0, 0))) throw new RangeError(`${amount} has more than ${places} decimals.`);
  return units.toFixed(0);
}

export interface PaymentCode {
  /** What the QR code says. */
  text: string;
  /** The same as a link that opens a wallet; banks have none. */
  link?: string;
}

interface Payable {
  crypto_type: CryptoType;
  available: boolean;
  amount_crypto: string;
  wallet_address: string;
  bank?: { promptpay_id: string } | undefined;
}

/** The QR code of one method of a quote; undefined when there is nothing to pay, or for a bank account without PromptPay. */
export function paymentCode(method: Payable, receiver: string): PaymentCode | undefined {
  const { crypto_type, available, amount_crypto: amount, wallet_address: address, bank } = method;
  if (!available || decimal(amount).eq(0)) return undefined;
  switch (crypto_type) {
    case "bitcoin":
      return linked(bitcoinLink(address, amount, receiver));
    case "ethereum":
      return linked(ethereumLink(address, amount));
    case "thai_bank":
      return bank?.promptpay_id ? { text: promptPayPayload(bank.promptpay_id, amount) } : undefined;
  }
}

function linked(link: string): PaymentCode {
  return { text: link, link };
}
