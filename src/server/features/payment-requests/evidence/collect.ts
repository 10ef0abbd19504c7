import { evidenceKinds, type Evidence, type EvidenceKind } from "#domain/evidence/evidence";
import { together } from "../../../platform/db/together.ts";
import type { ReviewedRow } from "../queries.ts";
import { chainSource } from "./chain.ts";
import { destinationSource } from "./destination.ts";
import { downgradeSource } from "./downgrade.ts";
import { lateSource } from "./late.ts";
import { referenceSource } from "./reference.ts";
import { screenshotSource } from "./screenshot.ts";
import { slipSource } from "./slip.ts";
import type { EvidenceDependencies, EvidenceSource } from "./source.ts";

const sources: Record<EvidenceKind, EvidenceSource> = {
  chain: chainSource,
  slip: slipSource,
  reference: referenceSource,
  destination: destinationSource,
  screenshot: screenshotSource,
  late: lateSource,
  downgrade: downgradeSource,
};

/** Returns a function from a request of a page to its evidence, in order of weight (EVIDENCE-1). */
export async function collectEvidence(
  deps: EvidenceDependencies,
  rows: readonly ReviewedRow[],
): Promise<(row: ReviewedRow) => Evidence[]> {
  const found = await together(...evidenceKinds.map((kind) => sources[kind](deps, rows)));
  return (row) => found.flatMap((evidenceOf) => evidenceOf(row) ?? []);
}
