import * as z from "zod/mini";
import { ChainEvidence, flaggedChainVerdicts } from "./chain.ts";
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

/** Returns whether evidence needs a second look before the admin decides (EVIDENCE-1). */
export function isFlagged({ kind, verdict }: Evidence): boolean {
  return (flagged[kind] as readonly string[]).includes(verdict);
}
