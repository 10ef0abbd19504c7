import { lastKnownVerdict } from "./chain.ts";
import type { Evidence } from "./evidence.ts";

/**
 * Returns the amount that the chain has of a payment, a decimal of its coin, once it is confirmed at the request's destination and counts
 * for no other request; else null (PART-1). A service that fails since changes nothing of it (CHAIN-6).
 */
export function amountOnChain(evidence: Evidence | undefined): string | null {
  if (evidence?.kind !== "chain") return null;
  return ["matched", "short", "over"].includes(lastKnownVerdict(evidence)) ? evidence.details.amount_received : null;
}
