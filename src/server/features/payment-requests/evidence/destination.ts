import { countedTransactions } from "#domain/evidence/chain-facts";
import { destinationEvidence } from "#domain/evidence/destination";
import { isCurrentDestination } from "#domain/payment-methods/methods";
import { transferOf } from "#domain/payments/transfer";
import { findAllLookups } from "../chain/queries.ts";
import type { ReviewedRow } from "../queries.ts";
import type { EvidenceSource } from "./source.ts";

/** Whether the destinations of all parts, and where the chain has the rest, are still in the wallet settings, now (EVIDENCE-3). */
export const destinationSource: EvidenceSource = async ({ db, clock }, rows, present) => {
  const settings = await present;
  // Stryker disable next-line ConditionTrue,LogicalOperator,LeftOperand,RightOperand,Boundary: saves rows of payments without a told address.
  const isTold = ({ crypto_type, rest_destinations }: ReviewedRow) => crypto_type === "bitcoin" && rest_destinations.length > 0;
  // Stryker disable next-line MethodExpression: the same.
  const ids = rows.filter(isTold).map(({ id }) => id);
  // Stryker disable next-line ConditionFalse,ArrayDeclaration: saves a query that finds nothing.
  const lookups = ids.length === 0 ? [] : await findAllLookups(db, ids);
  const at = clock.now().toISOString();
  return (row) => {
    const transfer = transferOf(row);
    if (!transfer) return undefined;
    // A late payer paid to the destination of the earlier quote (QUOTE-6).
    const wallet_address = row.earlier_wallet_address ?? transfer.wallet_address;
    const facts = lookups.find(({ request_id }) => request_id === row.id)?.facts;
    const arrived = facts ? countedTransactions(facts).flatMap(({ restDestination = [] }) => restDestination) : [];
    const paid = [wallet_address, ...row.parts.map((part) => part.wallet_address), ...arrived];
    const old = paid.filter((one) => !isCurrentDestination(transfer.crypto_type, one, settings));
    return destinationEvidence({ ...transfer, wallet_address }, old, at);
  };
};
