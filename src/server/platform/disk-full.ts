import { causesOf } from "./db/unavailable.ts";
import { systemCode } from "./system-code.ts";

/** Returns whether an error says that the disk or this account's quota is full. */
export function isDiskFull(error: unknown): boolean {
  return causesOf(error).some((cause) => ["ENOSPC", "EDQUOT"].includes(systemCode(cause) ?? ""));
}
