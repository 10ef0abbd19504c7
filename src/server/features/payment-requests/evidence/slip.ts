import { mostSlipMatches, slipEvidence, type SlipFacts } from "#domain/evidence/slip";
import { findAllSlips, type ProofSlip } from "./slip-queries.ts";
import type { EvidenceSource } from "./source.ts";
import { otherRequestViews } from "./views.ts";

/** What the codes of a transfer's slips say, those of further parts included (SLIP-3, SLIP-4); nothing until a picture was read. */
export const slipSource: EvidenceSource = async ({ db }, rows) => {
  const byBank = rows.filter(({ crypto_type }) => crypto_type === "thai_bank");
  const slips = await findAllSlips(
    db,
    byBank.map(({ id }) => id),
    mostSlipMatches,
  );
  return ({ id, payer_email: email }) => {
    const proofs = slips.get(id) ?? [];
    const read = proofs.flatMap((slip, index) => factsOf(id, slip, proofs.length > 1 ? index + 1 : null));
    return read.length === 0 ? undefined : slipEvidence(email, read);
  };
};

function factsOf(id: string, { outcome, read_at, code, typed, sharing }: ProofSlip, part: number | null): SlipFacts[] {
  if (outcome === null || read_at === null) return [];
  const others = sharing.filter(({ payment_request_id }) => payment_request_id !== id);
  const isRepeated = others.length < sharing.length;
  return [{ part, outcome, code, typed, read_at: read_at.toISOString(), isRepeated, others: otherRequestViews(others) }];
}
