import * as z from "zod/mini";
import { duplicateKinds } from "../payments/payment-request.ts";
import { evidenceSchema, isOfStudent, OtherRequest } from "./shape.ts";

/**
 * The result of comparing a screenshot with those of other requests. `not_compared`: its picture cannot be decoded here or has too few
 * edges, so that only a duplicate of the same bytes would have been found.
 */
export const screenshotVerdicts = ["new", "same_file", "similar", "not_compared"] as const;
export type ScreenshotVerdict = (typeof screenshotVerdicts)[number];

export const flaggedScreenshotVerdicts: readonly ScreenshotVerdict[] = ["same_file", "similar", "not_compared"];

/** Another payment request whose screenshot is the same file, or the same picture saved again. */
export const ScreenshotMatch = z.extend(OtherRequest, { kind: z.enum(duplicateKinds) });
export type ScreenshotMatch = z.infer<typeof ScreenshotMatch>;

/** Whether the screenshot was sent before (DECIDE-6). */
export const ScreenshotEvidence = evidenceSchema(
  "screenshot",
  screenshotVerdicts,
  z.object({ matches: z.array(ScreenshotMatch) }),
);
export type ScreenshotEvidence = z.infer<typeof ScreenshotEvidence>;

export interface ScreenshotFacts {
  /** The payer's, by which their own earlier requests are told from those of others. */
  user_id: string | null;
  created_at: string;
  /** Newest first. */
  matches: ScreenshotMatch[];
  verdict: ScreenshotVerdict;
}

/** Returns what comparing a request's screenshot found (DECIDE-6). */
export function screenshotEvidence({ user_id, created_at, matches, verdict }: ScreenshotFacts): ScreenshotEvidence {
  return { kind: "screenshot", verdict, text: textOf(user_id, matches, verdict), at: created_at, details: { matches } };
}

/** Names the newest duplicate of another person, else the newest of the student's own. */
function textOf(userId: string | null, matches: ScreenshotMatch[], verdict: ScreenshotVerdict): string {
  const match = matches.find((one) => !isOfStudent(userId, one)) ?? matches[0];
  if (!match) {
    return verdict === "not_compared"
      ? "The screenshot could not be compared with earlier ones."
      : "No earlier screenshot looks like this one.";
  }
  const whose = isOfStudent(userId, match) ? "an earlier request of the same student" : `a request of ${match.email}`;
  const what = match.kind === "same_file" ? "The screenshot is the same file as that of" : "The screenshot looks like that of";
  return `${what} ${whose} from ${match.created_at.slice(0, 10)} (${match.status}).`;
}
