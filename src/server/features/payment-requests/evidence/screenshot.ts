import { screenshotEvidence } from "#domain/evidence/screenshot";
import { findComparisons } from "../screenshots/duplicates.ts";
import type { EvidenceSource } from "./source.ts";

/** What comparing the screenshot with those of other requests found (DECIDE-6). */
export const screenshotSource: EvidenceSource = async ({ db }, rows) => {
  const comparisonOf = await findComparisons(
    db,
    rows.map(({ id }) => id),
  );
  return ({ id, payer_email: email, created_at, screenshot_object_id }) => {
    if (screenshot_object_id === null) return undefined;
    const { matches, verdict } = comparisonOf(id);
    const views = matches.map((match) => ({ ...match, created_at: match.created_at.toISOString() }));
    return screenshotEvidence({ email, created_at: created_at.toISOString(), matches: views, verdict });
  };
};
