export const paymentStatuses = ["pending", "approved", "rejected"] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

export type Decision = Exclude<PaymentStatus, "pending">;

/** Returns whether a request can be decided: only while it is pending (DECIDE-1). */
export function canDecide(status: PaymentStatus): boolean {
  return status === "pending";
}

/** Version of the texts that a student agrees to when submitting; a new wording gets a new version. */
export const consentVersion = "2026-11";

/** In characters. */
export const maxReasonLength = 500;
export const maxReferenceLength = 120;
export const maxNoteLength = 500;

/** That the admin saves to choose from (DECIDE-8). */
export const maxRejectionReasons = 20;

/** The typical approval time is the median of the newest approvals. Fewer than `atLeast` would reveal single students (PAY-7). */
export const approvalSample = { newest: 100, days: 90, atLeast: 5 };

/** A duplicate screenshot is the same file byte for byte, or the same picture saved again (DECIDE-6). */
export const duplicateKinds = ["same_file", "same_picture"] as const;
export type DuplicateKind = (typeof duplicateKinds)[number];
