import * as z from "zod/mini";
import { evidenceSchema } from "./shape.ts";

export const slipVerdicts = ["read", "differs", "used_before", "none"] as const;
export type SlipVerdict = (typeof slipVerdicts)[number];

export const flaggedSlipVerdicts: readonly SlipVerdict[] = ["differs", "used_before"];

/** What the code on the picture of a bank's slip says. */
export const SlipEvidence = evidenceSchema("slip", slipVerdicts, z.object({}));
