import { maxOtherRequests } from "#domain/evidence/shape";
import { slipEvidence, type SlipFacts } from "#domain/evidence/slip";
import { ownProofs } from "./own-proofs.ts";
import { findAllSlips, type ProofSlip } from "./slip-queries.ts";
import type { EvidenceSource } from "./source.ts";
import { otherRequestViews } from "./views.ts";

/** What the codes of a transfer's slips say, those of further parts included (SLIP-3, SLIP-4); nothing until a picture was read. */
export const slipSource: EvidenceSource = async ({ db }, rows) => {
  // Stryker disable next-line MethodExpression,ConditionTrue: saves rows, since no other picture has a slip.
  const byBank = rows.filter(({ crypto_type }) => crypto_type === "thai_bank");
  // One more, since the request itself may be among them.
  const slipOf = await findAllSlips(db, byBank.flatMap(ownProofs), maxOtherRequests + 1);
  return (row) => {
    const proofs = ownProofs(row);
    const read = proofs.flatMap((proof, index) => {
      const slip = slipOf(proof);
      return slip ? factsOf(row.id, slip, proof.reference, proofs.length > 1 ? index + 1 : null) : [];
    });
    return read.length === 0 ? undefined : slipEvidence(row.user_id, read);
  };
};

function factsOf(id: string, slip: ProofSlip, typed: string | null, part: number | null): SlipFacts[] {
  const { outcome, read_at } = slip;
  // Stryker disable next-line LogicalOperator,LeftOperand,RightOperand: both are null, or neither.
  if (outcome === null || read_at === null) return [];
  const transfers = slip.transfers.map(({ code, sharing }) => {
    const others = sharing.filter(({ payment_request_id }) => payment_request_id !== id);
    return { code, isRepeated: others.length < sharing.length, others: otherRequestViews(others) };
  });
  return [{ part, outcome, transfers, typed, read_at: read_at.toISOString() }];
}
