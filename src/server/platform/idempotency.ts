import { createHash } from "node:crypto";
import { ProductError } from "#domain/errors/messages";

/** Returns the SHA-256 of an input, of which the contract's schema orders the fields. */
export function inputHash(input: object): Buffer {
  return createHash("sha256").update(JSON.stringify(input)).digest();
}

/**
 * Throws `idempotency_key_reused` when the row that a key has made was made of another input. What became of the row since does not count. A row of
 * an earlier version, without a hash, is taken for the same.
 */
export function requireSameInput({ idempotency_sha256: first }: { idempotency_sha256: Buffer | null }, hash: Buffer): void {
  if (first?.equals(hash) === false) throw new ProductError("idempotency_key_reused");
}
