import { boolean, integer, numeric, pgTable, text } from "drizzle-orm/pg-core";
import { couponPackages } from "#domain/payments/coupon";
import { timestamptz } from "./columns.ts";

export const couponCodes = pgTable("coupon_codes", {
  code: text().primaryKey(),
  discount_starter: numeric({ precision: 5, scale: 2 }).notNull(),
  discount_advanced: numeric({ precision: 5, scale: 2 }).notNull(),
  active: boolean().notNull().default(true),
  packages: text({ enum: couponPackages }).notNull().default("both"),
  starts_at: timestamptz("starts_at"),
  ends_at: timestamptz("ends_at"),
  max_uses: integer(),
});
