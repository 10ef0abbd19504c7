import { prefixed } from "../prefixed.ts";

/** What can be wrong, in words for the one who typed it. */
export const bitcoinAddressFaults = {
  not_an_address: "This is not a Bitcoin address. One begins with bc1, 1 or 3.",
  wrong_network: "This address is of another network than Bitcoin's main one. Please use one that begins with bc1, 1 or 3.",
  wrong_checksum: "The checksum of this Bitcoin address is wrong: a character is missing or mistyped. Please copy it again.",
  not_spendable: "Coins sent to this address are lost, or anybody can take them. Please use one from your wallet.",
  mixed_case: "An address with bc1 never mixes capital and small letters. Please copy it again from your wallet.",
} as const;

/** The same by the code that a check of the contract reports. */
export const bitcoinTexts = prefixed("bitcoin_address", bitcoinAddressFaults);
