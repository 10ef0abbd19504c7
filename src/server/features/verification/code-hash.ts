import { createHmac } from "node:crypto";
import type { Dependencies } from "../../dependencies.ts";

/** Returns a keyed hash, since a million codes are soon hashed, of the code with the user's id, so that it fits no other user. */
export function codeHash(deps: Dependencies, userId: string, code: string): Buffer {
  return createHmac("sha256", deps.secrets.codePepper).update(`${userId}:${code}`).digest();
}
