import { smallestUnits } from "../../money.ts";
import { amountOfCoin, usdOfCoin } from "../coin.ts";
import type { PaymentMethod } from "../method.ts";
import type { WalletSettings } from "../settings.ts";

/** Digits of a wei after the point of one ether. */
const weiPlaces = 18;

/** Ethereum's main network (EIP-155). */
const chainId = 1;

/** Ether on the main network (PAY-5). */
export const ethereum: PaymentMethod<Pick<WalletSettings, "ethereum_address" | "ethereum_price_usd">> = {
  name: "Ethereum",
  currency: "ETH",
  places: 8,
  maxAdded: 999,
  destinationName: "address",
  scan: {
    name: "Ethereum",
    instruction: "Scan with your wallet. It fills in the address and the exact amount; check both before you send.",
  },
  notes: [
    "Double-check the address before you send.",
    "Paying from an exchange? Make sure that its fee comes on top of the amount.",
    "Keep the transaction hash.",
  ],
  reference: {
    normalForm: (typed) => `0x${typed.toLowerCase().replace(/^0x/, "")}`,
    pattern: /^0x[0-9a-f]{64}$/,
    description: "An Ethereum transaction hash is 0x and 64 hexadecimal digits.",
    hint: "The transaction hash helps us find your payment.",
    explorer: "https://etherscan.io/tx/",
  },
  amountFor: (usd, settings) => amountOfCoin(usd, settings.ethereum_price_usd, 8),
  usdValue: (amount, settings) => usdOfCoin(amount, settings.ethereum_price_usd),
  destination: (settings) => settings.ethereum_address,
  code({ amount, destination }) {
    const link = ethereumLink(destination, amount);
    return { text: link, link };
  },
};

/** Returns an `ethereum:` link (EIP-681) that asks for an amount of ETH, a decimal string, in whole wei on the main network. */
export function ethereumLink(address: string, amount: string): string {
  return `ethereum:${address}@${chainId}?value=${smallestUnits(amount, weiPlaces)}`;
}
