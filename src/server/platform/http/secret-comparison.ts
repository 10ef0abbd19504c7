import { createHash, timingSafeEqual } from "node:crypto";

/** Returns whether a sent secret is the expected one. The time depends neither on its length nor on where the two differ. */
export function isSameSecret(sent: string | undefined, expected: string): boolean {
  return sent !== undefined && timingSafeEqual(digest(sent), digest(expected));
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
