import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { pageOf, pageQuery, plainText, timestamp } from "./fields.ts";

/** An entry of the audit log; `auditSentence` makes it readable. */
export const AuditEntry = z.object({
  id: z.int(),
  at: timestamp,
  /** An account's address, or the program or link that acted. */
  actor_email: z.string(),
  action: z.string(),
  subject_type: z.string(),
  subject_id: z.string(),
  details: z.record(z.string(), z.unknown()),
  ip: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Which entries; a subject is the id of an account, a request, a lesson and so on. */
export const AuditFilter = z.object({
  actor: z.optional(plainText(320)),
  action: z.optional(plainText(100)),
  subject: z.optional(plainText(200)),
  /** What the subject is, as ids of several kinds may be the same: `wallet-settings`, `mail` and so on. */
  subject_type: z.optional(plainText(200)),
  /** A text anywhere in an entry. */
  search: z.optional(plainText(200)),
});
export type AuditFilter = z.infer<typeof AuditFilter>;

export const audit = {
  list: oc
    .route({ method: "GET", path: "/api/audit-log", summary: "The audit log, newest first" })
    .input(z.extend(AuditFilter, pageQuery))
    .output(pageOf(AuditEntry)),
};
