import * as z from "zod/mini";
import { packages, packageTypes, type PackageType } from "../packages.ts";
import { evidenceSchema } from "./shape.ts";

/** Approving would lower the student's tier (PACKAGE-3). */
export const DowngradeEvidence = evidenceSchema(
  "downgrade",
  ["downgrade"],
  z.object({ from: z.enum(packageTypes), to: z.enum(packageTypes) }),
);
export type DowngradeEvidence = z.infer<typeof DowngradeEvidence>;

/** Returns that approving lowers the student's package (PACKAGE-3); `at` is when that was found, ISO 8601. */
export function downgradeEvidence(from: PackageType, to: PackageType, at: string): DowngradeEvidence {
  const text = `The student has ${packages[from].name}. Approving lowers that to ${packages[to].name}.`;
  return { kind: "downgrade", verdict: "downgrade", text, at, details: { from, to } };
}
