export const paymentStatuses = ["pending", "approved", "rejected"] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

export type Decision = Exclude<PaymentStatus, "pending">;

/** Only a pending request can be decided (DECIDE-1). */
export function canDecide(status: PaymentStatus): boolean {
  return status === "pending";
}

/** Names the texts a student agrees to when submitting; a new wording gets a new version. */
export const consentVersion = "2026-11";

/** Longest reason of a rejection and longest transaction reference, in characters. */
export const maxReasonLength = 500;
export const maxReferenceLength = 120;

/** The typical approval time is the median of the newest approvals; of fewer than `atLeast` it would tell of single students. */
export const approvalSample = { newest: 100, days: 90, atLeast: 5 };

/** How a screenshot is like that of another request: byte for byte, or the same picture saved again. */
export const likenessKinds = ["same_file", "same_picture"] as const;
export type LikenessKind = (typeof likenessKinds)[number];

/**
 * What comparing a screenshot with those of other requests found; `not_compared` where the picture cannot be decoded here or has too
 * little in it, so that only the same bytes would have been found.
 */
export const screenshotVerdicts = ["new", "same_file", "similar", "not_compared"] as const;
export type ScreenshotVerdict = (typeof screenshotVerdicts)[number];

/** How many other requests the admin is shown beside one. */
export const mostScreenshotMatches = 5;
