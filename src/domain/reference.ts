import { ProductError } from "./messages.ts";
import type { CryptoType } from "./wallet-settings.ts";

/** The form of a transaction reference after normalising, by method. */
const forms: Record<CryptoType, RegExp> = {
  bitcoin: /^[0-9a-f]{64}$/,
  ethereum: /^0x[0-9a-f]{64}$/,
  thai_bank: /^[A-Z0-9.-]{4,40}$/,
};

/** What each form looks like, for the hint and for the refusal. */
export const referenceForms: Record<CryptoType, string> = {
  bitcoin: "A Bitcoin transaction hash has 64 hexadecimal digits.",
  ethereum: "An Ethereum transaction hash is 0x and 64 hexadecimal digits.",
  thai_bank: "A bank reference has 4 to 40 letters, digits, dots or dashes.",
};

/**
 * A reference in the one form in which it is stored and compared: hashes in lower case, bank references in upper case. Null for
 * none. Throws `reference_invalid` when it is not of the method's form.
 */
export function normaliseReference(cryptoType: CryptoType, text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? "";
  if (trimmed === "") return null;
  const reference = cryptoType === "thai_bank" ? trimmed.toUpperCase() : trimmed.toLowerCase();
  if (!forms[cryptoType].test(reference)) throw new ProductError("reference_invalid", { text: referenceForms[cryptoType] });
  return reference;
}

/** Where anybody can look a transaction up; undefined for a bank's reference and for what is no hash. */
export function explorerLink(cryptoType: CryptoType, reference: string): string | undefined {
  if (cryptoType === "thai_bank" || !forms[cryptoType].test(reference)) return undefined;
  return cryptoType === "bitcoin" ? `https://mempool.space/tx/${reference}` : `https://etherscan.io/tx/${reference}`;
}
