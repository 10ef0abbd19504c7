import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { subscriptionStatuses } from "../packages.ts";
import { buckets } from "../upload-rules.ts";
import { id } from "./fields.ts";

export const Me = z.object({
  id,
  email: z.string(),
  full_name: z.string(),
  subscription_status: z.enum(subscriptionStatuses),
  email_verified: z.boolean(),
  role: z.enum(["student", "admin"]),
  /** A file for a bucket must be smaller than this many bytes. */
  max_upload_bytes: z.record(z.enum(buckets), z.number()),
});
export type Me = z.infer<typeof Me>;

export const SendVerificationEmail = z.object({
  email: z.optional(z.string().check(z.maxLength(320))),
  fullName: z.optional(z.string().check(z.maxLength(200))),
});

export const account = {
  me: oc.route({ method: "GET", path: "/api/me", summary: "The caller's own profile" }).output(Me),
  sendVerificationEmail: oc
    .route({ method: "POST", path: "/functions/v1/send-verification-email", summary: "Send or resend the caller's code" })
    .input(SendVerificationEmail)
    .output(z.object({ sent: z.literal(true), resend_after: z.number() })),
  verifyEmail: oc
    .route({ method: "POST", path: "/functions/v1/verify-email", summary: "Match the caller's code" })
    .input(z.object({ code: z.string().check(z.maxLength(20)) }))
    .output(z.object({ verified: z.literal(true) })),
};
