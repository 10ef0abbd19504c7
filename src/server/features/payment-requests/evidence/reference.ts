import { referenceEvidence } from "#domain/evidence/reference";
import { maxOtherRequests } from "#domain/evidence/shape";
import { together } from "../../../platform/db/together.ts";
import { ownProofs } from "./own-proofs.ts";
import { findAllDisputes } from "./queries.ts";
import { findAllWithSlipOf } from "./slip-queries.ts";
import type { EvidenceSource } from "./source.ts";
import { otherRequestViews } from "./views.ts";

/** Whether other requests claim the same transaction (EVIDENCE-2). */
export const referenceSource: EvidenceSource = async ({ db }, rows) => {
  const byBank = rows.filter(({ crypto_type }) => crypto_type === "thai_bank");
  const [othersById, withSlipById] = await together(
    findAllDisputes(db, rows.flatMap(ownProofs), maxOtherRequests),
    findAllWithSlipOf(db, byBank.flatMap(ownProofs), maxOtherRequests),
  );
  return ({ id, reference: first, status, created_at, crypto_type, parts }) => {
    if (crypto_type === null) return undefined;
    const reference = first ?? parts.find((part) => part.reference !== null)?.reference ?? null;
    const [others, withSlip] = [otherRequestViews(othersById.get(id)), otherRequestViews(withSlipById.get(id))];
    return referenceEvidence({ reference, status, created_at: created_at.toISOString(), others, withSlip });
  };
};
