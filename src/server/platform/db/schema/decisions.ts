import { bigint, boolean, integer, numeric, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { subscriptionStatuses } from "#domain/packages";
import { timestamptz } from "./columns.ts";

/** What the admin's decisions leave behind beside the request itself, and what they choose from. */
export const paymentDecisions = pgTable("payment_decisions", {
  request_id: uuid().primaryKey(),
  amount_received: numeric(),
  rest_asked_at: timestamptz("rest_asked_at"),
  tier_before: text({ enum: subscriptionStatuses }),
  tier_change_before: bigint({ mode: "number" }),
  tier_change: bigint({ mode: "number" }),
});

export const cancelledReceipts = pgTable("cancelled_receipts", {
  receipt_number: text().primaryKey(),
  request_id: uuid().notNull(),
  approved_at: timestamptz("approved_at").notNull(),
  approved_by: text().notNull(),
  cancelled_at: timestamptz("cancelled_at").notNull(),
  cancelled_by: text().notNull(),
  reason: text().notNull(),
  amount_received: numeric(),
});

/** Which pending requests are to be checked for a flag, and when all are. */
export const flagChecks = pgTable("flag_checks", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  request_id: uuid().notNull(),
  with_related: boolean().notNull(),
});

export const flagSweep = pgTable("flag_sweep", {
  id: integer().primaryKey().default(1),
  due_at: timestamptz("due_at").notNull(),
});

export const rejectionReasons = pgTable("rejection_reasons", {
  position: integer().primaryKey(),
  reason: text().notNull(),
});
