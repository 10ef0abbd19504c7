import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bech32 } from "@scure/base";
import { HDKey } from "@scure/bip32";
import { base58check } from "./base58.ts";
import { keyPrefixOf, keyScripts, keyVersions } from "./extended-key.ts";

/** The account's addresses for receiving. */
export interface ReceiveChain {
  /** Returns the address number `index`, from 0 on: `0/index` below the account's key. */
  addressAt(index: number): string;
}

/**
 * Returns the receive chain of an account's extended public key, as `checkExtendedKey` accepts it (BIP 32, BIP 44, BIP 49, BIP 84). Throws
 * when the key's point is not on the curve. An address takes about half a millisecond.
 */
export function receiveChain(key: string): ReceiveChain {
  const prefix = keyPrefixOf(key);
  // Only the version of public keys is read; the library wants both.
  const chain = HDKey.fromExtendedKey(key, { public: keyVersions[prefix], private: 0 }).deriveChild(0);
  return { addressAt: (index) => addressOf(keyScripts[prefix], chain.deriveChild(index).pubKeyHash!) };
}

/** Returns the address on the main network for the HASH160 of a public key. */
export function addressOf(script: (typeof keyScripts)[keyof typeof keyScripts], keyHash: Uint8Array): string {
  if (script === "p2pkh") return base58check.encode(Uint8Array.of(0x00, ...keyHash));
  if (script === "p2wpkh") return bech32.encode("bc", [0, ...bech32.toWords(keyHash)]);
  // BIP 141: the hash of the script that says "version 0, these 20 bytes".
  const scriptHash = ripemd160(sha256(Uint8Array.of(0x00, 0x14, ...keyHash)));
  return base58check.encode(Uint8Array.of(0x05, ...scriptHash));
}
