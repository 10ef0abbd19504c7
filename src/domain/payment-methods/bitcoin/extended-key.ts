import type { CheckedAddress } from "../checked-address.ts";
import { base58Payload } from "./base58.ts";
import type { extendedKeyFaults } from "./texts.ts";

type Checked = CheckedAddress<keyof typeof extendedKeyFaults>;

/** The addresses that each public key of an account stands for (SLIP 132): BIP 44, BIP 49 and BIP 84. */
export const keyScripts = { xpub: "p2pkh", ypub: "p2sh-p2wpkh", zpub: "p2wpkh" } as const;

/** Version bytes of these keys on the main network (SLIP 132). Their text follows from them. */
export const keyVersions = { xpub: 0x0488b21e, ypub: 0x049d7cb2, zpub: 0x04b24746 } as const;

/** Wallets stop looking for payments after this many addresses in a row that were never paid to (BIP 44). */
export const walletGapLimit = 20;

/** The first addresses of a key that the owner compares with the wallet (WALLET-5). */
export const comparedAddresses = 3;

type KeyPrefix = keyof typeof keyScripts;

/** Version, depth, fingerprint of the parent, number of the child, chain code and public key (BIP 32). */
const serializedBytes = 4 + 1 + 4 + 4 + 32 + 33;

/** Somewhat longer than the text of any key. */
const maxTextLength = 120;

/** The depth of an account below the master key: purpose, coin and account (BIP 44). */
const accountDepth = 3;

/** From this number on, a child is hardened (BIP 32). */
const hardened = 0x80000000;

/**
 * Checks the extended public key of a Bitcoin account on the main network, from which addresses are derived (BIP 32), and returns it as it is.
 * Refuses whatever can spend coins, keys of several signers, and keys that are no account's. Whether its point is on the curve is found
 * when an address is derived.
 */
export function checkExtendedKey(text: string): Checked {
  if (isSecret(text)) return { fault: "private_key" };
  const prefix = text.slice(0, 4);
  if (/[tuv]pub/i.test(prefix)) return { fault: "wrong_network" };
  if (prefix === "Ypub" || prefix === "Zpub") return { fault: "several_signers" };
  // Stryker disable next-line ConditionTrue,Boundary: a longer text is refused as well, after a long time.
  const bytes = text.length <= maxTextLength ? base58Payload(text) : undefined;
  if (!bytes) return { fault: Object.hasOwn(keyVersions, prefix) ? "wrong_checksum" : "not_a_key" };
  if (bytes.length !== serializedBytes) return { fault: "not_a_key" };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isOfVersion = view.getUint32(0) === keyVersions[prefix as KeyPrefix];
  const isCompressedKey = bytes[45] === 2 || bytes[45] === 3;
  if (!isOfVersion || !isCompressedKey) return { fault: "not_a_key" };
  return isAccount(prefix, view.getUint8(4), view.getUint32(9)) ? { address: text } : { fault: "not_an_account" };
}

/** Returns which form an accepted key has. */
export function keyPrefixOf(key: string): KeyPrefix {
  return key.slice(0, 4) as KeyPrefix;
}

/** An extended private key of any network, a private key as wallets export one (WIF), or the words of a recovery phrase. */
function isSecret(text: string): boolean {
  return /^[a-z]prv/i.test(text) || /^[5KL9c][1-9A-HJ-NP-Za-km-z]{50,51}$/.test(text) || isRecoveryPhrase(text);
}

/** 12 to 24 words of any language, which may be numbered (BIP 39). */
function isRecoveryPhrase(text: string): boolean {
  const words = text.split(/[\s\p{P}]+/u).filter((part) => !/^\d*$/.test(part));
  return words.length >= 12 && words.length <= 24 && words.every((word) => /^\p{L}[\p{L}\p{M}]*$/u.test(word));
}

/** Electrum derives an account directly from the master key, for segwit as its first hardened child. */
function isAccount(prefix: string, depth: number, child: number): boolean {
  return (depth === accountDepth && child >= hardened) || (prefix === "zpub" && depth === 1 && child === hardened);
}
