import { mostDisputed, referenceEvidence } from "#domain/evidence/reference";
import { findAllDisputes } from "./queries.ts";
import type { EvidenceSource } from "./source.ts";

/** Whether other requests claim the same transaction (EVIDENCE-2). */
export const referenceSource: EvidenceSource = async ({ db }, rows) => {
  const withReference = rows.filter(({ reference }) => reference !== null);
  const othersById = await findAllDisputes(
    db,
    withReference.map(({ id }) => id),
    mostDisputed,
  );
  return ({ id, reference, status, created_at, crypto_type }) => {
    if (crypto_type === null) return undefined;
    const others = (othersById.get(id) ?? []).map((other) => ({ ...other, created_at: other.created_at.toISOString() }));
    return referenceEvidence({ reference, status, created_at: created_at.toISOString(), others });
  };
};
