import * as z from "zod/mini";
import { duplicateKinds } from "../payments/payment-request.ts";
import { minuteText } from "../texts/minute-text.ts";
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
  /** The request's, by which its own pictures are told from those of other requests. */
  id: string;
  /** The payer's, by which their own requests are told from those of others. */
  user_id: string | null;
  created_at: string;
  /** The approved ones first, then the oldest first (DECIDE-6). */
  matches: ScreenshotMatch[];
  verdict: ScreenshotVerdict;
}

/** Returns what comparing a request's screenshot found (DECIDE-6). */
export function screenshotEvidence(facts: ScreenshotFacts): ScreenshotEvidence {
  const { created_at, matches, verdict } = facts;
  return { kind: "screenshot", verdict, text: textOf(facts), at: created_at, details: { matches } };
}

/** Names the first duplicate of another person, else the first of another request, else the request's own. */
function textOf({ id, user_id, matches, verdict }: ScreenshotFacts): string {
  const isOwn = (one: ScreenshotMatch): boolean => one.payment_request_id === id;
  const match =
    matches.find((one) => !isOfStudent(user_id, one) && !isOwn(one)) ?? matches.find((one) => !isOwn(one)) ?? matches[0];
  if (!match) {
    return verdict === "not_compared"
      ? "The screenshot could not be compared with earlier ones."
      : "No earlier screenshot looks like this one.";
  }
  const what = match.kind === "same_file" ? "The screenshot is the same file as" : "The screenshot looks like";
  if (isOwn(match)) return `${what} an earlier one of this request.`;
  const whose = isOfStudent(user_id, match) ? "another request of the same student" : `a request of ${match.email}`;
  return `${what} that of ${whose} (${match.status}, submitted ${minuteText(match.created_at)}).`;
}
