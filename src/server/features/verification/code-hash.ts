import { createHmac, randomInt } from "node:crypto";
import { firstCode, lastCode } from "#domain/accounts/verification";
import type { Dependencies } from "../../dependencies.ts";

/** Draws a code to mail (VERIFY-1). */
export function newCode(): string {
  return String(randomInt(firstCode, lastCode + 1));
}

/** Returns a keyed hash, since a million codes are soon hashed, of the code with the user's id, so that it fits no other user. */
export function codeHash(deps: Dependencies, userId: string, code: string): Buffer {
  return createHmac("sha256", deps.secrets.codePepper).update(`${userId}:${code}`).digest();
}
