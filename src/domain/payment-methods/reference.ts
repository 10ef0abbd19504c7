import { ProductError } from "../errors/messages.ts";
import { paymentMethod, type CryptoType } from "./methods.ts";

/**
 * Returns a reference in the one form in which it is stored and compared (PAY-4), null for none. Throws `reference_invalid` when it
 * is not of the method's form.
 */
export function normaliseReference(cryptoType: CryptoType, text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? "";
  if (trimmed === "") return null;
  const { normalForm, pattern, description } = paymentMethod(cryptoType).reference;
  const reference = normalForm(trimmed);
  if (!pattern.test(reference)) throw new ProductError("reference_invalid", { text: description });
  return reference;
}

/** Returns where anybody can look a transaction up; undefined for a bank's reference and for what is no hash. */
export function explorerLink(cryptoType: CryptoType, reference: string): string | undefined {
  const { explorer, pattern } = paymentMethod(cryptoType).reference;
  return explorer === undefined || !pattern.test(reference) ? undefined : explorer + reference;
}
