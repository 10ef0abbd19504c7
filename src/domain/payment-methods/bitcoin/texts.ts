import { prefixed } from "../prefixed.ts";

/** What can be wrong, in words for the one who typed it. */
export const bitcoinAddressFaults = {
  not_an_address: "This is not a Bitcoin address. One begins with bc1, 1 or 3.",
  wrong_network: "This address is of another network than Bitcoin's main one. Please use one that begins with bc1, 1 or 3.",
  wrong_checksum: "The checksum of this Bitcoin address is wrong: a character is missing or mistyped. Please copy it again.",
  not_spendable: "Coins sent to this address are lost, or anybody can take them. Please use one from your wallet.",
  mixed_case: "An address with bc1 never mixes capital and small letters. Please copy it again from your wallet.",
} as const;

/** What can be wrong with an account's key. */
export const extendedKeyFaults = {
  private_key:
    "This is a private key or a recovery phrase. Never enter it anywhere: whoever has it can take all your coins. We need the public key, which begins with xpub, ypub or zpub.",
  not_a_key: "This is not an extended public key. One begins with xpub, ypub or zpub.",
  wrong_network:
    "This key is of a test network. Please use the one of your account on Bitcoin's main network: xpub, ypub or zpub.",
  wrong_checksum: "The checksum of this key is wrong: a character is missing or mistyped. Please copy it again.",
  several_signers:
    "This key is of a wallet with several signers. Please use the one of an account of your own: xpub, ypub or zpub.",
  not_an_account: "This key is not that of an account. Please export the account's extended public key from your wallet.",
} as const;

/** The same by the code that a check of the contract reports. */
export const bitcoinTexts = {
  ...prefixed("bitcoin_address", bitcoinAddressFaults),
  ...prefixed("bitcoin_xpub", extendedKeyFaults),
};
