import { destinationEvidence } from "#domain/evidence/destination";
import { isCurrentDestination } from "#domain/payment-methods/methods";
import { transferOf } from "#domain/payments/transfer";
import type { EvidenceSource } from "./source.ts";

/** Whether the destinations of all parts are still in the wallet settings, now (EVIDENCE-3). */
export const destinationSource: EvidenceSource = async ({ clock }, _rows, present) => {
  const settings = await present;
  const at = clock.now().toISOString();
  return (row) => {
    const transfer = transferOf(row);
    if (!transfer) return undefined;
    // A late payer paid to the destination of the earlier quote (QUOTE-6).
    const wallet_address = row.earlier_wallet_address ?? transfer.wallet_address;
    const paid = [wallet_address, ...row.parts.map((part) => part.wallet_address)];
    const old = paid.filter((one) => !isCurrentDestination(transfer.crypto_type, one, settings));
    return destinationEvidence({ ...transfer, wallet_address }, old, at);
  };
};
