import { keccak_256 } from "@noble/hashes/sha3.js";
import type { CheckedAddress } from "../checked-address.ts";
import type { ethereumAddressFaults } from "./texts.ts";

import { checkBitcoinAddress } from "../bitcoin/address.ts";

/** A burn address: nobody has its key. */
const burnAddress = "dead000000000000000042069420694206942069";

/**
 * Checks an Ethereum address to be paid to and returns it with its checksum in capitals (EIP-55). All lower or all upper case carries no checksum
 * and is taken; mixed case must be right. Refuses what nobody can spend from: a burn address, all digits the same, as in the placeholder for Ether
 * itself, and the first 65,536, where the precompiled contracts are.
 */
export function checkEthereumAddress(text: string): CheckedAddress<keyof typeof ethereumAddressFaults> {
  if (!/^0x[0-9a-f]{40}$/i.test(text) || text.startsWith("0X")) {
    return { fault: checkBitcoinAddress(text).address === undefined ? "not_an_address" : "wrong_network" };
  }
  const digits = text.slice(2);
  const lower = digits.toLowerCase();
  const address = `0x${withChecksum(lower)}`;
  const hasNoChecksum = digits === lower || digits === digits.toUpperCase();
  if (!hasNoChecksum && text !== address) return { fault: "wrong_checksum" };
  return isBurned(lower) ? { fault: "not_spendable" } : { address };
}

function isBurned(lower: string): boolean {
  return lower === burnAddress || new Set(lower).size === 1 || lower.startsWith("0".repeat(36));
}

/** A letter is a capital where the same digit of the hash of the lower-case address is 8 or more (EIP-55). */
function withChecksum(lower: string): string {
  const hash = keccak_256(Uint8Array.from(lower, (digit) => digit.charCodeAt(0)));
  return Array.from(lower, (digit, index) => {
    const nibble = index % 2 === 0 ? hash[index >> 1]! >> 4 : hash[index >> 1]! & 0xf;
    return nibble >= 8 ? digit.toUpperCase() : digit;
  }).join("");
}
