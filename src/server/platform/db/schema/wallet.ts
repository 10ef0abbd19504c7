import { bigint, boolean, integer, jsonb, numeric, pgTable, text } from "drizzle-orm/pg-core";
import type { FieldChanges } from "#domain/guard/changes";
import type { HeldDestinations } from "#domain/guard/delay";
import { holdReasons, priceSources } from "#domain/payments/coin-price";
import { coins, type Coin } from "#domain/payment-methods/settings";
import { bytes, timestamptz } from "./columns.ts";

export const walletSettings = pgTable("wallet_settings", {
  id: integer().primaryKey().default(1),
  bitcoin_address: text().notNull().default(""),
  ethereum_address: text().notNull().default(""),
  bitcoin_price_usd: numeric({ precision: 18, scale: 2 }).notNull().default("45000"),
  ethereum_price_usd: numeric({ precision: 18, scale: 2 }).notNull().default("3000"),
  thai_bank_name: text().notNull().default(""),
  thai_bank_account_number: text().notNull().default(""),
  thai_bank_account_name: text().notNull().default(""),
  promptpay_id: text().notNull().default(""),
  bitcoin_xpub: text().notNull().default(""),
  unique_amounts: boolean().notNull().default(false),
  alert_email: text().notNull().default(""),
  held_destinations: jsonb().$type<HeldDestinations>().notNull().default({}),
  quote_generation: integer().notNull().default(0),
  is_sample: boolean().notNull().default(false),
  updated_at: timestamptz("updated_at").notNull().defaultNow(),
});

export const coinPrices = pgTable("coin_prices", {
  coin: text({ enum: coins }).primaryKey(),
  set_at: timestamptz("set_at"),
  set_by: text({ enum: priceSources }),
  lowest_usd: numeric({ precision: 18, scale: 2 }),
  highest_usd: numeric({ precision: 18, scale: 2 }),
  refreshed_at: timestamptz("refreshed_at"),
  held_reason: text({ enum: holdReasons }),
  mailed_at: timestamptz("mailed_at"),
});

export const publicPrices = pgTable("public_prices", {
  coin: text().$type<Coin>().primaryKey(),
  usd: numeric({ precision: 18, scale: 2 }),
  stated_at: timestamptz("stated_at"),
  has_failed: boolean().notNull().default(false),
  asked_at: timestamptz("asked_at"),
});

export const guardedChanges = pgTable("guarded_changes", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  at: timestamptz("at").notNull(),
  actor_email: text().notNull(),
  ip: text().notNull(),
  device: text().notNull(),
  fields: jsonb().$type<FieldChanges>().notNull(),
  undo_token_hash: bytes().notNull(),
  undo_until: timestamptz("undo_until").notNull(),
  undone_at: timestamptz("undone_at"),
});
