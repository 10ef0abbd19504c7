import * as z from "zod/mini";
import { ChainEvidence, flaggedChainVerdicts, lastKnownVerdict } from "./chain.ts";
import { DestinationEvidence, flaggedDestinationVerdicts } from "./destination.ts";
import { DowngradeEvidence } from "./downgrade.ts";
import { LateEvidence } from "./late.ts";
import { flaggedReferenceVerdicts, ReferenceEvidence } from "./reference.ts";
import { flaggedScreenshotVerdicts, ScreenshotEvidence } from "./screenshot.ts";
import { flaggedSlipVerdicts, SlipEvidence } from "./slip.ts";

/** What is known about whether a payment arrived. It informs; only the admin decides (EVIDENCE-1). */
export const Evidence = z.discriminatedUnion("kind", [
  ChainEvidence,
  SlipEvidence,
  ReferenceEvidence,
  DestinationEvidence,
  ScreenshotEvidence,
  LateEvidence,
  DowngradeEvidence,
]);
export type Evidence = z.infer<typeof Evidence>;
export type EvidenceKind = Evidence["kind"];

/** In order of weight. */
export const evidenceKinds = ["chain", "slip", "reference", "destination", "screenshot", "late", "downgrade"] as const;

/** The verdicts that need a second look. */
const flagged: { [Kind in EvidenceKind]: readonly Extract<Evidence, { kind: Kind }>["verdict"][] } = {
  chain: flaggedChainVerdicts,
  slip: flaggedSlipVerdicts,
  reference: flaggedReferenceVerdicts,
  destination: flaggedDestinationVerdicts,
  screenshot: flaggedScreenshotVerdicts,
  late: ["late"],
  downgrade: ["downgrade"],
};

/** Returns the verdict that counts: that of a chain whose service fails is the one before (CHAIN-6). */
export function verdictThatCounts(evidence: Evidence): Evidence["verdict"] {
  return evidence.kind === "chain" ? lastKnownVerdict(evidence) : evidence.verdict;
}

/** Returns whether evidence needs a second look before the admin decides (EVIDENCE-1). */
export function isFlagged(evidence: Evidence): boolean {
  return (flagged[evidence.kind] as readonly string[]).includes(verdictThatCounts(evidence));
}
