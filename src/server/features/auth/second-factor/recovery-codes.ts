import { createHmac, randomBytes } from "node:crypto";
import { base32crockford } from "@scure/base";
import type { Secrets } from "../../../platform/secrets.ts";

const count = 10;

/** 50 bits each: two groups of five letters, without those that look alike. */
const bytesPerCode = 7;
const lettersPerCode = 10;

/** Returns ten recovery codes as they are shown, such as `7kq2m-x9d4w` (FACTOR-4). */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: count }, () => {
    const letters = base32crockford.encode(randomBytes(bytesPerCode)).toLowerCase().slice(0, lettersPerCode);
    return `${letters.slice(0, 5)}-${letters.slice(5)}`;
  });
}

/** Returns what is stored of a code: a keyed hash, the same however it is typed, that fits no other factor. */
export function recoveryCodeHash(secrets: Secrets, factorId: string, typed: string): Buffer {
  // Letters that look alike stand for the digit, as Crockford's base 32 reads them.
  const letters = typed
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replace(/o/g, "0")
    .replace(/[il]/g, "1");
  return createHmac("sha256", secrets.codePepper).update(`recovery:${factorId}:${letters}`).digest();
}
