import { screenshotEvidence } from "#domain/evidence/screenshot";
import { findComparisons } from "../screenshots/duplicates.ts";
import { ownProofs } from "./own-proofs.ts";
import type { EvidenceSource } from "./source.ts";
import { otherRequestViews } from "./views.ts";

/** What comparing the screenshot with those of other requests found (DECIDE-6). */
export const screenshotSource: EvidenceSource = async ({ db }, rows) => {
  const comparisonOf = await findComparisons(db, rows.flatMap(ownProofs));
  return (row) => {
    const { id, user_id, created_at, screenshot_object_id } = row;
    if (screenshot_object_id === null) return undefined;
    const { matches, verdict } = comparisonOf(ownProofs(row));
    const at = created_at.toISOString();
    return screenshotEvidence({ id, user_id, created_at: at, matches: otherRequestViews(matches), verdict });
  };
};
