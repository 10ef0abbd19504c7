import { destinationEvidence } from "#domain/evidence/destination";
import { isCurrentDestination } from "#domain/payment-methods/methods";
import { transferOf } from "#domain/payments/transfer";
import type { EvidenceSource } from "./source.ts";

/** Whether the destination is still in the wallet settings, now (EVIDENCE-3). */
export const destinationSource: EvidenceSource = async ({ clock }, _rows, present) => {
  const settings = await present;
  const at = clock.now().toISOString();
  return (row) => {
    const transfer = transferOf(row);
    if (!transfer) return undefined;
    return destinationEvidence(transfer, isCurrentDestination(transfer.crypto_type, transfer.wallet_address, settings), at);
  };
};
