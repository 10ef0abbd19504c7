import { prefixed } from "../prefixed.ts";

/** What can be wrong, in words for the one who typed it. */
export const ethereumAddressFaults = {
  not_an_address: "This is not an Ethereum address: 0x and 40 hexadecimal digits.",
  wrong_network: "This is a Bitcoin address. An Ethereum address begins with 0x.",
  not_spendable: "Nobody can spend from this address. Please use one from your wallet.",
  wrong_checksum:
    "The checksum of this Ethereum address (EIP-55) is wrong: a character is mistyped or in the wrong case. Please copy it again.",
} as const;

/** The same by the code that a check of the contract reports. */
export const ethereumTexts = prefixed("ethereum_address", ethereumAddressFaults);
