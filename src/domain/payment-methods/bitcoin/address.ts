import { bech32, bech32m } from "@scure/base";
import type { CheckedAddress } from "../checked-address.ts";
import { base58Payload } from "./base58.ts";
import type { bitcoinAddressFaults } from "./texts.ts";

type Checked = CheckedAddress<keyof typeof bitcoinAddressFaults>;

/** Version bytes of the main network's Base58Check addresses: P2PKH and P2SH. */
const mainnetVersions = new Set([0x00, 0x05]);
const base58AddressBytes = 21;

/** Burn addresses, and the address of an empty key: nobody can sign for them. */
const burnAddresses = new Set([
  "1BitcoinEaterAddressDontSendf59kuE",
  "1CounterpartyXXXXXXXXXXXXXXXUWLpVr",
  "1HT7xU2Ngenf7D4yocz2SAcnNLW7rK8d4E",
]);

/**
 * Checks an address of Bitcoin's main network to be paid to: Base58Check (P2PKH, P2SH) or segwit (BIP 173, BIP 350). Refuses what nobody
 * can spend from and, of the later witness versions and lengths, what anybody can (BIP 341). Returns a segwit address in lower case,
 * since wallets refuse the other.
 */
export function checkBitcoinAddress(text: string): Checked {
  if (/^0x[0-9a-f]{40}$/i.test(text)) return { fault: "wrong_network" };
  return /^(bc|tb|bcrt|ltc)1/i.test(text) ? checkSegwit(text) : checkBase58(text);
}

function checkBase58(text: string): Checked {
  if (!/^[0-9A-Za-z]{26,35}$/.test(text)) return { fault: "not_an_address" };
  const payload = base58Payload(text);
  if (!payload) return { fault: /^[13]/.test(text) ? "wrong_checksum" : "not_an_address" };
  if (payload.length !== base58AddressBytes) return { fault: "not_an_address" };
  if (!mainnetVersions.has(payload[0]!)) return { fault: "wrong_network" };
  return burnAddresses.has(text) || isUniform(payload.subarray(1)) ? { fault: "not_spendable" } : { address: text };
}

function checkSegwit(text: string): Checked {
  const lower = text.toLowerCase();
  if (!/^[0-9a-z]{8,90}$/.test(lower)) return { fault: "not_an_address" };
  if (text !== lower && text !== text.toUpperCase()) return { fault: "mixed_case" };
  if (!lower.startsWith("bc1")) return { fault: "wrong_network" };
  // No text is both (BIP 350), so the encoding found is the one it was written in.
  const short = bech32.decodeUnsafe(lower);
  const words = (short ?? bech32m.decodeUnsafe(lower))?.words;
  if (!words) return { fault: "wrong_checksum" };
  // Without a version there is no program either.
  const [version = 0, ...data] = words;
  const program = bech32.fromWordsUnsafe(data);
  if (version > 16 || !program || program.length < 2 || program.length > 40) {
    return { fault: "not_an_address" };
  }
  // Version 0 is written in bech32, all later ones in bech32m (BIP 350).
  if ((version === 0) !== Boolean(short)) return { fault: "wrong_checksum" };
  if (version === 0 && program.length !== 20 && program.length !== 32) return { fault: "not_an_address" };
  const isDefined = version === 0 || (version === 1 && program.length === 32 && isPoint(program));
  return isDefined && !isUniform(program) ? { address: lower } : { fault: "not_spendable" };
}

/** The prime of the curve secp256k1, y² = x³ + 7. */
const prime = 2n ** 256n - 2n ** 32n - 977n;

/** Returns whether 32 bytes are the x coordinate of a point, as the key of a taproot address is (BIP 340, BIP 341). */
function isPoint(bytes: Uint8Array): boolean {
  const x = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  // x³ + 7 is a square if its power of (p - 1) / 2 is 1 (Euler). No x has 0.
  return x < prime && power(x ** 3n + 7n, (prime - 1n) / 2n) === 1n;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % prime;
    if (bit === "1") result = (result * base) % prime;
  }
  return result;
}

/** Returns whether all bytes are the same: no key or script has such a hash. */
function isUniform(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === bytes[0]);
}
