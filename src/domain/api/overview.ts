import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { packageTypes, subscriptionStatuses } from "../packages.ts";
import { cryptoTypes } from "../payment-methods/methods.ts";
import { coins } from "../payment-methods/settings.ts";
import { amount, timestamp } from "./fields.ts";

/** What was approved on a day (UTC), by method (null: nothing to pay) and package. */
export const DayRevenue = z.object({
  day: z.iso.date(),
  crypto_type: z.nullable(z.enum(cryptoTypes)),
  package_type: z.enum(packageTypes),
  approved: z.number(),
  amount_usd: amount,
});
export type DayRevenue = z.infer<typeof DayRevenue>;

export const Stats = z.object({
  pending: z.object({ requests: z.number(), flagged: z.number(), oldest_at: z.nullable(timestamp) }),
  /** Null after too few approvals (PAY-7). */
  typical_approval_seconds: z.nullable(z.number()),
  /** First and last day of the window (UTC). */
  from: z.iso.date(),
  to: z.iso.date(),
  /** In order; days without an approval are left out. */
  revenue: z.array(DayRevenue),
  revenue_usd: amount,
  /** Since the beginning. */
  all_time: z.object({ approved: z.number(), revenue_usd: amount }),
  students: z.record(z.enum(subscriptionStatuses), z.number()),
  /** How far the sign-ups of the window came, further ones of an address included; each step includes those of the next. */
  conversion: z.object({ signed_up: z.number(), verified: z.number(), submitted: z.number(), approved: z.number() }),
  /** When each coin's price was set; null for a default. */
  prices_updated_at: z.record(z.enum(coins), z.nullable(timestamp)),
  mails: z.object({ failed: z.number(), waiting: z.number() }),
  /** Events that the seller's program did not take; null without one. */
  webhooks: z.nullable(z.object({ failed: z.number(), waiting: z.number() })),
  /** Of the disk with the stored files; null where it cannot be read. */
  disk: z.nullable(z.object({ free_bytes: z.number(), total_bytes: z.number(), is_low: z.boolean() })),
  /** Of the scheduled backups; null where none is scheduled. */
  backups: z.nullable(
    z.object({
      last_good_at: z.nullable(timestamp),
      /** Since the last good one. */
      failures: z.number(),
      /** Why the newest of these failed. */
      problem: z.nullable(z.string()),
      /** Stored files that the newest one lacks. */
      lost_files: z.number(),
      is_overdue: z.boolean(),
    }),
  ),
});
export type Stats = z.infer<typeof Stats>;

/** What a new shop needs before the first student pays, in order (STATS-8). */
export const setupSteps = ["destinations", "contact", "mail", "lesson", "second_factor", "own_figures"] as const;
export type SetupStep = (typeof setupSteps)[number];

export const Setup = z.object({
  steps: z.array(z.object({ step: z.enum(setupSteps), done: z.boolean() })),
  /** Whether the card was dismissed, or all its steps were done once. */
  closed: z.boolean(),
});
export type Setup = z.infer<typeof Setup>;

/** What of the sample course is there, as `npm run seed` added it. */
export const SampleCourse = z.object({
  lessons: z.number(),
  live_sessions: z.number(),
  /** Whether the wallet settings have the sample addresses. */
  wallet: z.boolean(),
});
export type SampleCourse = z.infer<typeof SampleCourse>;

const days = z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(365)), 90);

export const overview = {
  stats: oc
    .route({ method: "GET", path: "/api/stats", summary: "The figures of the shop" })
    .input(z.object({ days }))
    .output(Stats),
  setup: oc.route({ method: "GET", path: "/api/setup", summary: "What a new shop still needs" }).output(Setup),
  closeSetup: oc
    .route({ method: "POST", path: "/api/setup/close", summary: "Dismiss the card of what a new shop needs, for good" })
    .output(z.object({ closed: z.literal(true) })),
  sampleCourse: oc
    .route({ method: "GET", path: "/api/sample-course", summary: "What is left of the sample course" })
    .output(SampleCourse),
  removeSampleCourse: oc
    .route({
      method: "DELETE",
      path: "/api/sample-course",
      summary: "Remove the sample course in one step, and return what went",
    })
    .output(SampleCourse),
};
