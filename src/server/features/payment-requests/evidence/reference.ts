import { mostDisputed, referenceEvidence } from "#domain/evidence/reference";
import { together } from "../../../platform/db/together.ts";
import { findParts } from "../rest/queries.ts";
import { findAllDisputes } from "./queries.ts";
import { findAllWithSlipOf } from "./slip-queries.ts";
import type { EvidenceSource } from "./source.ts";
import { otherRequestViews } from "./views.ts";

/** Whether other requests claim the same transaction (EVIDENCE-2). */
export const referenceSource: EvidenceSource = async ({ db }, rows) => {
  const ids = rows.map(({ id }) => id);
  const [partsOf, othersById, withSlipById] = await together(
    findParts(db, ids),
    findAllDisputes(db, ids, mostDisputed),
    findAllWithSlipOf(db, ids, mostDisputed),
  );
  return ({ id, reference: first, status, created_at, crypto_type }) => {
    if (crypto_type === null) return undefined;
    const reference = first ?? partsOf(id).find((part) => part.reference !== null)?.reference ?? null;
    const [others, withSlip] = [otherRequestViews(othersById.get(id)), otherRequestViews(withSlipById.get(id))];
    return referenceEvidence({ reference, status, created_at: created_at.toISOString(), others, withSlip });
  };
};
