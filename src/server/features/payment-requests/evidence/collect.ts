import { evidenceKinds, type Evidence, type EvidenceKind } from "#domain/evidence/evidence";
import type { PresentSettings } from "#domain/payment-methods/methods";
import { together } from "../../../platform/db/together.ts";
import { presentSettings } from "../present-settings.ts";
import { chainSource } from "./chain.ts";
import { destinationSource } from "./destination.ts";
import { downgradeSource } from "./downgrade.ts";
import { lateSource } from "./late.ts";
import { referenceSource } from "./reference.ts";
import { screenshotSource } from "./screenshot.ts";
import { slipSource } from "./slip.ts";
import type { EvidenceDependencies, EvidenceRow, EvidenceSource } from "./source.ts";

const sources: Record<EvidenceKind, EvidenceSource> = {
  chain: chainSource,
  slip: slipSource,
  reference: referenceSource,
  destination: destinationSource,
  screenshot: screenshotSource,
  late: lateSource,
  downgrade: downgradeSource,
};

/** Returns a function from a request of a page to its evidence, in order of weight (EVIDENCE-1). `settings` are the present wallet settings. */
export async function collectEvidence(
  deps: EvidenceDependencies,
  rows: readonly EvidenceRow[],
  settings: PresentSettings | Promise<PresentSettings> = presentSettings(deps, rows),
): Promise<(row: EvidenceRow) => Evidence[]> {
  const found = await together(...evidenceKinds.map((kind) => sources[kind](deps, rows, settings)));
  return (row) => found.map((evidenceOf) => evidenceOf(row)).filter((evidence) => evidence !== undefined);
}
