import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { subscriptionStatuses } from "../packages.ts";
import { uploadBuckets } from "../files/buckets.ts";
import { code, id, pageOf, pageQuery, timestamp } from "./fields.ts";

const incompleteCode = code("verification_code_incomplete");

export const Me = z.object({
  id,
  email: z.string(),
  full_name: z.string(),
  subscription_status: z.enum(subscriptionStatuses),
  email_verified: z.boolean(),
  role: z.enum(["student", "admin"]),
  /** Whether sign-in asks for a code of the authenticator app. */
  second_factor: z.boolean(),
  /** The status of the code that verifies the address; null once it is verified (VERIFY-7). */
  verification: z.nullable(
    z.object({
      /** Seconds until another code may be asked for; 0 when it may. */
      resend_after: z.number(),
      /** Tries of the newest code; 0 when only another code helps. */
      tries_left: z.number(),
      /** Whether the mail with the newest code could not be sent so far. */
      mail_failed: z.boolean(),
    }),
  ),
  /** A file for a bucket must be smaller than this many bytes. */
  max_upload_bytes: z.record(z.enum(uploadBuckets), z.number()),
});
export type Me = z.infer<typeof Me>;

/** A signed-in browser of the caller (OWN-1). */
export const OwnSession = z.object({
  id,
  /** Such as `Chrome on Windows`. */
  device: z.string(),
  /** An IPv4 address, or the first half of an IPv6 address. */
  network: z.string(),
  created_at: timestamp,
  last_seen_at: timestamp,
  /** Whether it is the session of this request. */
  current: z.boolean(),
});
export type OwnSession = z.infer<typeof OwnSession>;

/** One of the two: the code, of the app or a recovery code, where the account has a second factor. */
export const StepUpProof = z.object({
  current_password: z.optional(z.string().check(z.maxLength(1000))),
  totp: z.optional(z.string().check(z.maxLength(64))),
});
export type StepUpProof = z.infer<typeof StepUpProof>;

const SendVerificationEmail = z.object({
  email: z.optional(z.string().check(z.maxLength(320))),
  fullName: z.optional(z.string().check(z.maxLength(200))),
});

export const account = {
  me: oc.route({ method: "GET", path: "/api/me", summary: "The caller's own profile" }).output(Me),
  sessions: oc
    .route({ method: "GET", path: "/api/sessions", summary: "The caller's own sessions, newest first" })
    .input(z.object(pageQuery))
    .output(pageOf(OwnSession)),
  endSession: oc
    .route({
      method: "DELETE",
      path: "/api/sessions/{id}",
      inputStructure: "detailed",
      summary: "End one of the caller's sessions",
    })
    .input(z.object({ params: z.object({ id }) }))
    .output(z.object({ ended: z.literal(1) })),
  endOtherSessions: oc
    .route({ method: "DELETE", path: "/api/sessions", summary: "End all sessions of the caller but this one" })
    .input(z.optional(z.object({})))
    .output(z.object({ ended: z.int() })),
  stepUp: oc
    .route({ method: "POST", path: "/api/step-up", summary: "Prove the session for ten minutes" })
    .input(StepUpProof)
    .output(z.object({ proven_until: timestamp })),
  sendVerificationEmail: oc
    .route({ method: "POST", path: "/functions/v1/send-verification-email", summary: "Send or resend the caller's code" })
    .input(SendVerificationEmail)
    .output(z.object({ sent: z.literal(true), resend_after: z.number() })),
  verifyEmail: oc
    .route({ method: "POST", path: "/functions/v1/verify-email", summary: "Match the caller's code" })
    .input(z.object({ code: z.string(incompleteCode).check(z.maxLength(20, incompleteCode)) }))
    .output(z.object({ verified: z.literal(true) })),
};
