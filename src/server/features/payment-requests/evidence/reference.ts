import { mostDisputed, referenceEvidence } from "#domain/evidence/reference";
import { findParts } from "../rest/queries.ts";
import { findAllDisputes } from "./queries.ts";
import type { EvidenceSource } from "./source.ts";

/** Whether other requests claim the same transaction (EVIDENCE-2). */
export const referenceSource: EvidenceSource = async ({ db }, rows) => {
  const ids = rows.map(({ id }) => id);
  const partsOf = await findParts(db, ids);
  const othersById = await findAllDisputes(db, ids, mostDisputed);
  return ({ id, reference: first, status, created_at, crypto_type }) => {
    if (crypto_type === null) return undefined;
    const reference = first ?? partsOf(id).find((part) => part.reference !== null)?.reference ?? null;
    const others = (othersById.get(id) ?? []).map((other) => ({ ...other, created_at: other.created_at.toISOString() }));
    return referenceEvidence({ reference, status, created_at: created_at.toISOString(), others });
  };
};
