import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { packageTypes, subscriptionStatuses } from "../packages.ts";
import { OwnSession } from "./account.ts";
import { AuditEntry } from "./audit.ts";
import { id, line, pageOf, pageQuery, paragraphs, plainText, timestamp } from "./fields.ts";
import { PaymentRequest } from "./payments/payment-requests.ts";

/** A student in the admin's list (ADMIN-2). */
export const ListedUser = z.object({
  id,
  email: z.string(),
  user_metadata: z.object({ full_name: z.string() }),
  subscription_status: z.enum(subscriptionStatuses),
  email_verified: z.boolean(),
  second_factor: z.boolean(),
  created_at: timestamp,
  last_sign_in_at: z.nullable(timestamp),
});
export type ListedUser = z.infer<typeof ListedUser>;

/** A note of the admin about a student, who never reads it (USER-6). */
export const UserNote = z.object({
  id,
  text: z.string(),
  created_at: timestamp,
  /** Null until it is changed. */
  updated_at: z.nullable(timestamp),
});
export type UserNote = z.infer<typeof UserNote>;

/** The longest note about a student. */
const maxUserNoteLength = 2000;
export const NoteText = z.object({ text: paragraphs(maxUserNoteLength, "text_missing") });

/** A package for free; the reason is for the audit log (USER-5). */
export const GrantPackage = z.object({ package_type: z.enum(packageTypes), reason: line(500, "grant_reason_missing") });
export type GrantPackage = z.infer<typeof GrantPackage>;

/** One student with all that is known of them (USER-4). */
export const UserDetail = z.extend(ListedUser, {
  /** Newest first, at most 100. */
  requests: z.array(PaymentRequest),
  /** Where the student is signed in, newest first, at most 100. */
  sessions: z.array(z.omit(OwnSession, { current: true })),
  progress: z.object({
    /** Lessons that the student may play. */
    lessons: z.int(),
    /** Of these. */
    begun: z.int(),
    done: z.int(),
    last_watched_at: z.nullable(timestamp),
  }),
  /** Newest first. */
  notes: z.array(UserNote),
  /** The newest 50 entries about the account and its payment requests, newest first; `audit` has them all. */
  audit: z.array(AuditEntry),
  /** Whether tries at the password from elsewhere than before are slowed down now (ACCOUNT-9). */
  sign_in_slowed: z.boolean(),
});
export type UserDetail = z.infer<typeof UserDetail>;

/** The orders of the admin's list (LIST-4). */
export const userSorts = ["newest", "oldest", "last-sign-in"] as const;
export type UserSort = (typeof userSorts)[number];

const path = "/functions/v1/admin-users";
const byId = z.object({ params: z.object({ id }) });
const byNote = z.object({ params: z.object({ id, note_id: id }) });

export const users = {
  list: oc
    .route({ method: "GET", path, summary: "Students, newest first" })
    .input(z.object({ ...pageQuery, search: z.optional(plainText(200)) }))
    .output(z.object({ users: z.array(ListedUser), next_cursor: z.nullable(z.string()) })),
  search: oc
    .route({ method: "GET", path: "/api/users", summary: "Students by search, tier and order" })
    .input(
      z.object({
        ...pageQuery,
        search: z.optional(plainText(200)),
        tier: z.optional(z.enum(subscriptionStatuses)),
        sort: z.optional(z.enum(userSorts)),
      }),
    )
    .output(pageOf(ListedUser)),
  setTier: oc
    .route({ method: "PUT", path, summary: "Change a student's tier" })
    .input(
      z.object({
        userId: id,
        newRole: z.enum(subscriptionStatuses),
        /** The tier that the change was decided on; refused with `tier_changed` when it is another by now. */
        expected: z.optional(z.enum(subscriptionStatuses)),
        /** The number of the change that this one undoes; refused with `tier_changed` when the tier was set since, to the same value too. */
        undoes: z.optional(z.int()),
      }),
    )
    .output(
      z.object({
        user: ListedUser,
        /** The number of this change, for `undoes`. */
        change: z.int(),
      }),
    ),
  remove: oc
    .route({ method: "DELETE", path, summary: "Delete a student", inputStructure: "detailed" })
    .input(z.object({ query: z.object({ userId: id }) }))
    .output(z.object({ deleted: z.literal(true) })),
  removeSecondFactor: oc
    .route({
      method: "DELETE",
      path: `${path}/second-factor`,
      summary: "Turn a student's second factor off",
      inputStructure: "detailed",
    })
    .input(z.object({ query: z.object({ userId: id }) }))
    .output(z.object({ removed: z.literal(true) })),
  get: oc
    .route({
      method: "GET",
      path: "/api/users/{id}",
      inputStructure: "detailed",
      summary: "One student with payment requests, sessions, progress, notes and audit log",
    })
    .input(byId)
    .output(UserDetail),
  audit: oc
    .route({
      method: "GET",
      path: "/api/users/{id}/audit",
      inputStructure: "detailed",
      summary: "The audit log about one student and the student's payment requests, newest first",
    })
    .input(z.extend(byId, { query: z.object(pageQuery) }))
    .output(pageOf(AuditEntry)),
  endSession: oc
    .route({
      method: "DELETE",
      path: "/api/users/{id}/sessions/{session_id}",
      inputStructure: "detailed",
      summary: "End a session of a student",
    })
    .input(z.object({ params: z.object({ id, session_id: id }) }))
    .output(z.object({ ended: z.int() })),
  endSessions: oc
    .route({
      method: "DELETE",
      path: "/api/users/{id}/sessions",
      inputStructure: "detailed",
      summary: "End all sessions of a student",
    })
    .input(byId)
    .output(z.object({ ended: z.int() })),
  grant: oc
    .route({
      method: "POST",
      path: "/api/users/{id}/grant",
      inputStructure: "detailed",
      summary: "Give a student a package for free, with a reason",
    })
    .input(z.extend(byId, { body: GrantPackage }))
    .output(z.object({ user: ListedUser })),
  addNote: oc
    .route({
      method: "POST",
      path: "/api/users/{id}/notes",
      successStatus: 201,
      inputStructure: "detailed",
      summary: "Add a note of the admin about a student",
    })
    .input(z.extend(byId, { body: NoteText }))
    .output(UserNote),
  updateNote: oc
    .route({
      method: "PATCH",
      path: "/api/users/{id}/notes/{note_id}",
      inputStructure: "detailed",
      summary: "Change a note about a student",
    })
    .input(z.extend(byNote, { body: NoteText }))
    .output(UserNote),
  removeNote: oc
    .route({
      method: "DELETE",
      path: "/api/users/{id}/notes/{note_id}",
      inputStructure: "detailed",
      summary: "Delete a note about a student",
    })
    .input(byNote)
    .output(z.object({ deleted: z.literal(true) })),
};
