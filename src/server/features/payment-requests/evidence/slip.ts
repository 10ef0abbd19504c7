import { mostSlipMatches, slipEvidence } from "#domain/evidence/slip";
import { findAllSlips } from "./slip-queries.ts";
import type { EvidenceSource } from "./source.ts";
import { otherRequestViews } from "./views.ts";

/** What the code of a transfer slip says (SLIP-3, SLIP-4); nothing until the picture was read. */
export const slipSource: EvidenceSource = async ({ db }, rows) => {
  const byBank = rows.filter(({ crypto_type }) => crypto_type === "thai_bank");
  const slips = await findAllSlips(
    db,
    byBank.map(({ id }) => id),
    mostSlipMatches,
  );
  return ({ id, reference: typed, payer_email: email }) => {
    const slip = slips.get(id);
    if (!slip) return undefined;
    return slipEvidence({ ...slip, typed, email, read_at: slip.read_at.toISOString(), others: otherRequestViews(slip.others) });
  };
};
