// Over 250 lines: every call and reply of one feature, which share their schemas.
import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { packageTypes, subscriptionStatuses } from "../../packages.ts";
import { Evidence } from "../../evidence/evidence.ts";
import { ScreenshotMatch, screenshotVerdicts } from "../../evidence/screenshot.ts";
import { paymentStatuses } from "../../payments/payment-request.ts";
import { cryptoTypes } from "../../payment-methods/methods.ts";
import { AuditEntry } from "../audit.ts";
import { amount, id, idempotencyHeaders, listSorts, pageOf, pageQuery, plainText, signedLink, timestamp } from "../fields.ts";
import {
  Approval,
  AskRest,
  PayRest,
  Rejection,
  Reopening,
  ResubmitPaymentRequest,
  SubmitPaymentRequest,
} from "./payment-inputs.ts";
import { QuotedMethod } from "./quotes.ts";

/** The screenshot of a further part of a payment, which its student sent when asked for the rest (PART-4). */
export const PaymentPart = z.object({
  id,
  /** The rest that was asked for, and where to, when the student sent it. */
  amount_asked: amount,
  wallet_address: z.string(),
  reference: z.nullable(z.string()),
  screenshot_url: z.string(),
  submitted_at: timestamp,
});
export type PaymentPart = z.infer<typeof PaymentPart>;

export const PaymentRequest = z.object({
  id,
  user_id: z.nullable(id),
  package_type: z.enum(packageTypes),
  original_usd: amount,
  discount_percent: amount,
  discount_usd: amount,
  upgrade_credit_usd: amount,
  amount_usd: amount,
  /** These three and the screenshot are null where there was nothing to pay (PAY-11). */
  amount_crypto: z.nullable(amount),
  crypto_type: z.nullable(z.enum(cryptoTypes)),
  wallet_address: z.nullable(z.string()),
  coupon_code: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  /** Set where the student says that they paid late, by the figures of a quote that had ended. */
  paid_by_earlier_quote: z.nullable(
    z.object({
      amount_usd: amount,
      amount_crypto: amount,
      wallet_address: z.string(),
      /** Whether the wallet settings still have this `wallet_address`. */
      destination_current: z.boolean(),
      quoted_at: timestamp,
    }),
  ),
  /** Whether the wallet settings still have `wallet_address`; an older destination must be named as old. */
  destination_current: z.boolean(),
  status: z.enum(paymentStatuses),
  rejection_reason: z.nullable(z.string()),
  /** What arrived, in the payment's currency, where the admin stated it (DECIDE-7, PART-1). */
  amount_received: z.nullable(amount),
  /** What was still to be paid then; null once it is approved. Of a pending request it is asked for only while `rest` is set (PART-4). */
  amount_owed: z.nullable(amount),
  /** Set while the student is asked for the rest: how much, and where to (PART-3). */
  rest: z.nullable(
    z.object({
      asked_at: timestamp,
      method: QuotedMethod,
      /** Whether the rest goes to another destination than the first part. */
      destination_changed: z.boolean(),
      /** Where the student was told to send the rest before. */
      former_destinations: z.array(z.string()),
    }),
  ),
  /** Oldest first. */
  parts: z.array(PaymentPart),
  /** The rejected request that this one submits again, with its figures (PAY-10). */
  resubmits: z.nullable(id),
  screenshot_url: z.nullable(z.string()),
  created_at: timestamp,
  decided_at: z.nullable(timestamp),
  /** Set once it is approved. */
  receipt_number: z.nullable(z.string()),
  /** Set once the student has seen the approval, which is celebrated once (JOURNEY-4). */
  approval_seen_at: z.nullable(timestamp),
});
export type PaymentRequest = z.infer<typeof PaymentRequest>;

/** What proves an approved payment, with the payer as they were. */
export const Receipt = z.extend(PaymentRequest, {
  email: z.string(),
  full_name: z.string(),
  decided_at: timestamp,
  receipt_number: z.string(),
});
export type Receipt = z.infer<typeof Receipt>;

/** The admin's view joins the payer; `payer_tier` is null once the account is deleted. */
export const ReviewedPaymentRequest = z.extend(PaymentRequest, {
  email: z.string(),
  full_name: z.string(),
  payer_tier: z.nullable(z.enum(subscriptionStatuses)),
  /** What the coins of a pending request are worth at the present price; `amount_usd`, or the earlier quote's, at the locked one. */
  usd_at_current_price: z.nullable(amount),
  /** Newest first, at most `maxOtherRequests`; for the admin's eyes alone. */
  screenshot_matches: z.array(ScreenshotMatch),
  /** Null without a screenshot. */
  screenshot_verdict: z.nullable(z.enum(screenshotVerdicts)),
  /** In order of weight; kinds that do not apply are left out. */
  evidence: z.array(Evidence),
  /** Whether it is pending and some of its evidence needs a second look. */
  flagged: z.boolean(),
  /** The admin's own, which the student never reads (PART-2). */
  note: z.nullable(z.string()),
});
export type ReviewedPaymentRequest = z.infer<typeof ReviewedPaymentRequest>;

/** The receipt of an approval that was undone. */
export const CancelledReceipt = z.object({
  receipt_number: z.string(),
  approved_at: timestamp,
  approved_by: z.string(),
  cancelled_at: timestamp,
  cancelled_by: z.string(),
  reason: z.string(),
});
export type CancelledReceipt = z.infer<typeof CancelledReceipt>;

export const PaymentRequestDetail = z.extend(ReviewedPaymentRequest, {
  /** When its figures were quoted; null once the quote was deleted with its account. */
  quoted_at: z.nullable(timestamp),
  /** The newest other requests of its student. */
  history: z.array(PaymentRequest),
  /** Newest first. */
  audit: z.array(AuditEntry),
  /** Oldest first. */
  cancelled_receipts: z.array(CancelledReceipt),
});
export type PaymentRequestDetail = z.infer<typeof PaymentRequestDetail>;

/** What the admin's list and its export are filtered by (LIST-1, LIST-2). */
export const paymentRequestFilter = {
  status: z.optional(z.enum(paymentStatuses)),
  /** "none" is a request with nothing to pay. */
  method: z.optional(z.enum([...cryptoTypes, "none"])),
  package: z.optional(z.enum(packageTypes)),
  flagged: z.optional(z.enum(["true", "false"])),
  search: z.optional(plainText(200)),
};

export const PaymentRequestCounts = z.object({
  pending: z.number(),
  approved: z.number(),
  rejected: z.number(),
  /** Pending ones of which some evidence needs a second look. */
  flagged: z.number(),
});
export type PaymentRequestCounts = z.infer<typeof PaymentRequestCounts>;

const byId = z.object({ params: z.object({ id }) });

export const paymentRequests = {
  submit: oc
    .route({
      method: "POST",
      path: "/api/payment-requests",
      successStatus: 201,
      inputStructure: "detailed",
      summary: "Submit a payment with its screenshot",
    })
    .input(
      z.object({
        headers: idempotencyHeaders,
        body: SubmitPaymentRequest,
      }),
    )
    .output(PaymentRequest),
  resubmit: oc
    .route({
      method: "POST",
      path: "/api/payment-requests/{id}/resubmit",
      successStatus: 201,
      inputStructure: "detailed",
      summary: "Submit a rejected request again, by its figures",
    })
    .input(z.extend(byId, { headers: idempotencyHeaders, body: z.optional(ResubmitPaymentRequest) }))
    .output(PaymentRequest),
  list: oc
    .route({
      method: "GET",
      path: "/api/payment-requests",
      summary: "Every payment request, newest first unless sorted otherwise",
    })
    .input(z.object({ ...pageQuery, ...paymentRequestFilter, sort: z.optional(z.enum(listSorts)) }))
    .output(pageOf(ReviewedPaymentRequest)),
  counts: oc
    .route({ method: "GET", path: "/api/payment-requests/counts", summary: "How many requests have each status" })
    .output(PaymentRequestCounts),
  mine: oc
    .route({ method: "GET", path: "/api/payment-requests/mine", summary: "The caller's own, newest first" })
    .input(z.object(pageQuery))
    .output(pageOf(PaymentRequest)),
  get: oc
    .route({
      method: "GET",
      path: "/api/payment-requests/{id}",
      inputStructure: "detailed",
      summary: "One request with its evidence, its student's other requests and its audit log",
    })
    .input(byId)
    .output(PaymentRequestDetail),
  check: oc
    .route({
      method: "POST",
      path: "/api/payment-requests/{id}/check",
      inputStructure: "detailed",
      summary: "Look at the chain again now",
    })
    .input(byId)
    .output(PaymentRequestDetail),
  approve: oc
    .route({ method: "POST", path: "/api/payment-requests/{id}/approve", inputStructure: "detailed", summary: "Approve, once" })
    .input(z.extend(byId, { body: z.optional(Approval) }))
    .output(ReviewedPaymentRequest),
  reject: oc
    .route({ method: "POST", path: "/api/payment-requests/{id}/reject", inputStructure: "detailed", summary: "Reject, once" })
    .input(z.extend(byId, { body: Rejection }))
    .output(ReviewedPaymentRequest),
  reopen: oc
    .route({
      method: "POST",
      path: "/api/payment-requests/{id}/reopen",
      inputStructure: "detailed",
      summary: "Undo the decision, so that the request is pending again",
    })
    .input(z.extend(byId, { body: Reopening }))
    .output(ReviewedPaymentRequest),
  askRest: oc
    .route({
      method: "POST",
      path: "/api/payment-requests/{id}/ask-rest",
      inputStructure: "detailed",
      summary: "Ask the student for the rest of a payment, which stays pending",
    })
    .input(z.extend(byId, { body: AskRest }))
    .output(ReviewedPaymentRequest),
  payRest: oc
    .route({
      method: "POST",
      path: "/api/payment-requests/{id}/rest",
      successStatus: 201,
      inputStructure: "detailed",
      summary: "Add the screenshot of the rest to a pending request",
    })
    .input(z.extend(byId, { headers: idempotencyHeaders, body: PayRest }))
    .output(PaymentRequest),
  screenshot: oc
    .route({
      method: "GET",
      path: "/api/payment-requests/{id}/screenshot",
      inputStructure: "detailed",
      summary: "A link that shows the screenshot, or that of a further part",
    })
    .input(z.extend(byId, { query: z.optional(z.object({ part: z.optional(id) })) }))
    .output(signedLink),
  receipt: oc
    .route({
      method: "GET",
      path: "/api/payment-requests/{id}/receipt",
      inputStructure: "detailed",
      summary: "The receipt of an approved payment",
    })
    .input(byId)
    .output(Receipt),
  seeApproval: oc
    .route({
      method: "POST",
      path: "/api/payment-requests/{id}/seen",
      inputStructure: "detailed",
      summary: "Note that the caller has seen the approval of their request",
    })
    .input(byId)
    .output(z.object({ seen: z.literal(true) })),
  approvalTime: oc
    .route({ method: "GET", path: "/api/approval-time", summary: "How long approvals took lately" })
    .output(z.object({ typical_seconds: z.nullable(z.number()) })),
};
