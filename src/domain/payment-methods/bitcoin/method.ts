import { canonical } from "../../money.ts";
import { amountOfCoin, usdOfCoin } from "../coin.ts";
import type { PaymentMethod } from "../method.ts";
import type { WalletSettings } from "../settings.ts";

/** Bitcoin on its main network, to one address of the owner (PAY-5). */
export const bitcoin: PaymentMethod<Pick<WalletSettings, "bitcoin_address" | "bitcoin_price_usd">> = {
  name: "Bitcoin",
  currency: "BTC",
  places: 8,
  maxAdded: 999,
  destinationName: "address",
  scan: {
    name: "Bitcoin",
    instruction: "Scan with your wallet. It fills in the address and the exact amount; check both before you send.",
  },
  notes: [
    "Double-check the address before you send.",
    "Paying from an exchange? Make sure that its fee comes on top of the amount.",
    "Keep the transaction hash.",
  ],
  reference: {
    normalForm: (typed) => typed.toLowerCase(),
    pattern: /^[0-9a-f]{64}$/,
    description: "A Bitcoin transaction hash has 64 hexadecimal digits.",
    hint: "The transaction hash helps us find your payment.",
    explorer: "https://mempool.space/tx/",
  },
  amountFor: (usd, settings) => amountOfCoin(usd, settings.bitcoin_price_usd, 8),
  usdValue: (amount, settings) => usdOfCoin(amount, settings.bitcoin_price_usd),
  destination: (settings) => settings.bitcoin_address,
  code({ amount, destination }, receiver) {
    const link = bitcoinLink(destination, amount, receiver);
    return { text: link, link };
  },
};

/**
 * Returns a `bitcoin:` link (BIP 21) that asks for an amount of BTC, a decimal string. A segwit address is written in lower case:
 * upper case makes a smaller QR code, and some wallets refuse it.
 */
export function bitcoinLink(address: string, amount: string, label?: string): string {
  const target = /^bc1/i.test(address) ? address.toLowerCase() : address;
  const named = label ? `&label=${encodeURIComponent(label)}` : "";
  return `bitcoin:${target}?amount=${canonical(amount)}${named}`;
}
