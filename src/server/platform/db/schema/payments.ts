import { boolean, integer, jsonb, numeric, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { packageTypes } from "#domain/packages";
import { paymentStatuses } from "#domain/payments/payment-request";
import { cryptoTypes, type QuotedMethod } from "#domain/payment-methods/methods";
import { timestamptz } from "./columns.ts";

export const quotes = pgTable("quotes", {
  id: uuid().primaryKey().defaultRandom(),
  user_id: uuid().notNull(),
  package_type: text({ enum: packageTypes }).notNull(),
  coupon_code: text(),
  discount_percent: numeric().notNull(),
  original_usd: numeric().notNull(),
  upgrade_credit_usd: numeric().notNull().default("0"),
  amount_usd: numeric().notNull(),
  is_sample: boolean().notNull(),
  created_at: timestamptz("created_at").notNull(),
  expires_at: timestamptz("expires_at").notNull(),
  methods: jsonb().$type<QuotedMethod[]>().notNull(),
  generation: integer().notNull().default(0),
  replaces: uuid(),
});

export const paymentRequests = pgTable("payment_requests", {
  id: uuid().primaryKey().defaultRandom(),
  user_id: uuid(),
  payer_email: text().notNull(),
  payer_full_name: text().notNull(),
  quote_id: uuid(),
  package_type: text({ enum: packageTypes }).notNull(),
  original_usd: numeric().notNull(),
  discount_percent: numeric().notNull(),
  upgrade_credit_usd: numeric().notNull().default("0"),
  amount_usd: numeric().notNull(),
  amount_crypto: numeric(),
  crypto_type: text({ enum: cryptoTypes }),
  coupon_code: text(),
  wallet_address: text(),
  screenshot_url: text(),
  screenshot_object_id: uuid(),
  reference: text(),
  earlier_amount_usd: numeric(),
  earlier_amount_crypto: numeric(),
  earlier_wallet_address: text(),
  earlier_quoted_at: timestamptz("earlier_quoted_at"),
  consent_version: text().notNull(),
  consented_at: timestamptz("consented_at").notNull(),
  idempotency_key: text().notNull(),
  status: text({ enum: paymentStatuses }).notNull().default("pending"),
  rejection_reason: text(),
  decided_at: timestamptz("decided_at"),
  decided_by: text(),
  receipt_number: text(),
  created_at: timestamptz("created_at").notNull(),
  resubmits: uuid(),
  approval_seen_at: timestamptz("approval_seen_at"),
  amount_received: numeric(),
  rest_asked_at: timestamptz("rest_asked_at"),
  rest_destinations: text().array().notNull().default([]),
  note: text(),
  flagged: boolean().notNull().default(false),
  search_text: text().notNull().default(""),
});

export const paymentRequestParts = pgTable("payment_request_parts", {
  id: uuid().primaryKey().defaultRandom(),
  payment_request_id: uuid().notNull(),
  amount_asked: numeric().notNull(),
  wallet_address: text().notNull(),
  screenshot_url: text().notNull(),
  screenshot_object_id: uuid().notNull(),
  reference: text(),
  idempotency_key: text().notNull(),
  submitted_at: timestamptz("submitted_at").notNull(),
});

export const receiptCounters = pgTable("receipt_counters", {
  year: integer().primaryKey(),
  last: integer().notNull(),
});
