import * as z from "zod/mini";
import { cryptoTypes } from "../../payment-methods/methods.ts";
import { maxNoteLength, maxReasonLength, maxReferenceLength } from "../../payments/payment-request.ts";
import { code, id, line, optionalLine, timestamp } from "../fields.ts";

/** Longer than every destination, a bank with its account included. */
const maxDestinationLength = 400;

export const SubmitPaymentRequest = z.object({
  quote_id: id,
  /** Method and screenshot are left out where the quote's amount is 0 USD, and only there (PAY-11). */
  crypto_type: z.optional(z.nullable(z.enum(cryptoTypes))),
  upload_id: z.optional(z.nullable(z.uuid(code("screenshot_missing")).check(z.toLowerCase()))),
  consent: z.literal(true, code("consent_missing")),
  reference: z.optional(z.nullable(optionalLine(maxReferenceLength))),
  /** The student's own quote that ended before they were done, when they have already paid by its figures. */
  paid_quote_id: z.optional(z.nullable(id)),
});
export type SubmitPaymentRequest = z.infer<typeof SubmitPaymentRequest>;

/** Omitted fields keep the rejected request's values; an empty reference removes it. */
export const ResubmitPaymentRequest = z.object({
  upload_id: z.optional(z.nullable(id)),
  reference: z.optional(z.nullable(optionalLine(maxReferenceLength))),
});
export type ResubmitPaymentRequest = z.infer<typeof ResubmitPaymentRequest>;

/** The reason, which the student reads, and where too little arrived the amount received: a decimal in the payment's currency. */
export const Rejection = z.object({
  reason: line(maxReasonLength, "reason_missing"),
  amount_received: z.optional(z.nullable(optionalLine(40))),
});
export type Rejection = z.infer<typeof Rejection>;

/** The reason, which the student reads, and when the decision was made that is meant: of another one nothing is undone. */
export const Reopening = z.object({
  reason: line(maxReasonLength, "reopen_reason_missing"),
  decided_at: z.optional(timestamp),
});
export type Reopening = z.infer<typeof Reopening>;

const note = z.optional(z.nullable(optionalLine(maxNoteLength)));

/** An amount received is a decimal in the payment's currency: less than was due, all of it, or more. */
export const Approval = z.object({
  confirm_downgrade: z.optional(z.boolean()),
  amount_received: z.optional(z.nullable(optionalLine(40))),
  note,
});
export type Approval = z.infer<typeof Approval>;

/** What has arrived so far, of all parts together. */
export const AskRest = z.object({ amount_received: optionalLine(40), note });
export type AskRest = z.infer<typeof AskRest>;

export const PayRest = z.object({
  upload_id: z.uuid(code("screenshot_missing")).check(z.toLowerCase()),
  reference: z.optional(z.nullable(optionalLine(maxReferenceLength))),
  /** The destination that the page displays: another one than the present is refused. */
  wallet_address: z.optional(optionalLine(maxDestinationLength)),
  /** One of `former_destinations`, where the student has already sent the rest to it. */
  paid_wallet_address: z.optional(z.nullable(optionalLine(maxDestinationLength))),
});
export type PayRest = z.infer<typeof PayRest>;
