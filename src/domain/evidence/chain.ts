import * as z from "zod/mini";
import { evidenceSchema } from "./shape.ts";

export const chainVerdicts = [
  "matched",
  "unconfirmed",
  "short",
  "over",
  "not_found",
  "other_destination",
  "used_before",
  "unavailable",
  "off",
] as const;
export type ChainVerdict = (typeof chainVerdicts)[number];

export const flaggedChainVerdicts: readonly ChainVerdict[] = ["short", "over", "not_found", "other_destination", "used_before"];

/** What the method's chain says of the payment. */
export const ChainEvidence = evidenceSchema("chain", chainVerdicts, z.object({}));
export type ChainEvidence = z.infer<typeof ChainEvidence>;

/** Returns the evidence where no chain service is set up. */
export function chainOff(at: string): ChainEvidence {
  return { kind: "chain", verdict: "off", text: "The chain was not looked at: no chain service is set up.", at, details: {} };
}
