import { bigint, boolean, date, integer, numeric, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { timestamptz } from "./columns.ts";

/** Totals that are kept by triggers and a job (STATS-1). */
const paymentKey = {
  method: text().notNull(),
  package_type: text().notNull(),
};
const paymentSums = {
  requests: bigint({ mode: "number" }).notNull(),
  amount_usd: numeric().notNull(),
};

export const paymentTotals = pgTable(
  "payment_totals",
  { status: text().notNull(), ...paymentKey, flagged: boolean().notNull(), ...paymentSums },
  (table) => [primaryKey({ columns: [table.status, table.method, table.package_type, table.flagged] })],
);

export const revenueDays = pgTable("revenue_days", { day: date().notNull(), ...paymentKey, ...paymentSums }, (table) => [
  primaryKey({ columns: [table.day, table.method, table.package_type] }),
]);

export const couponTotals = pgTable(
  "coupon_totals",
  { code: text().notNull(), status: text().notNull(), ...paymentSums },
  (table) => [primaryKey({ columns: [table.code, table.status] })],
);

export const paymentTotalChanges = pgTable("payment_total_changes", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  status: text().notNull(),
  ...paymentKey,
  flagged: boolean().notNull(),
  day: date(),
  ...paymentSums,
  coupon_code: text(),
});

export const tierTotals = pgTable("tier_totals", {
  tier: text().primaryKey(),
  accounts: bigint({ mode: "number" }).notNull(),
});

export const tierTotalChanges = pgTable("tier_total_changes", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  tier: text().notNull(),
  accounts: bigint({ mode: "number" }).notNull(),
});

export const studentTotals = pgTable(
  "student_totals",
  { joined_on: date().notNull(), step: smallint().notNull(), students: bigint({ mode: "number" }).notNull() },
  (table) => [primaryKey({ columns: [table.joined_on, table.step] })],
);

export const studentSteps = pgTable("student_steps", {
  account_id: uuid().primaryKey(),
  joined_on: date().notNull(),
  step: smallint().notNull(),
});

export const studentChanges = pgTable("student_changes", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  account_id: uuid().notNull(),
  /** Of a deletion, the day of the sign-up and the step that was reached. */
  joined_on: date(),
  step: smallint(),
});

export const setupCard = pgTable("setup_card", {
  id: integer().primaryKey().default(1),
  closed_at: timestamptz("closed_at").notNull(),
});

/** Scheduled backups: those whose files are kept, those that failed since the last good one, and the one that is being written. */
export const backupRuns = pgTable("backup_runs", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  path: text().notNull(),
  started_at: timestamptz("started_at").notNull(),
  lease_until: timestamptz("lease_until"),
  ended_at: timestamptz("ended_at"),
  size: bigint({ mode: "number" }),
  problem: text(),
  lost_files: integer(),
});
