import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";

export const base58check = createBase58check(sha256);

/** Returns the bytes of a Base58Check text; undefined for any other text, and for a wrong checksum. */
export function base58Payload(text: string): Uint8Array | undefined {
  // Stryker disable BlockStatement: an empty block returns undefined as well.
  try {
    return base58check.decode(text);
  } catch {
    return undefined;
  }
}
