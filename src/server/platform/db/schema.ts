// Over 250 lines: every table outside of the course in one place, as the migrations make them and schema.test.ts compares them.
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { playabilities } from "#domain/film";
import type { FieldChanges } from "#domain/guard/changes";
import type { HeldDestinations } from "#domain/guard/delay";
import { slipOutcomes } from "#domain/evidence/slip";
import { packageTypes, subscriptionStatuses } from "#domain/packages";
import { duplicateKinds, paymentStatuses } from "#domain/payments/payment-request";
import { edgeBits } from "#domain/payments/perceptual-fingerprint";
import { buckets, uploadBuckets } from "#domain/upload-rules";
import { holdReasons, priceSources } from "#domain/payments/coin-price";
import { coins, type Coin } from "#domain/payment-methods/settings";
import { cryptoTypes, type QuotedMethod } from "#domain/payment-methods/methods";
import { bytes, timestamptz } from "./schema/columns.ts";

export * from "./schema/chain.ts";
export * from "./schema/coupons.ts";
export * from "./schema/course.ts";
export * from "./schema/decisions.ts";
export * from "./schema/mails.ts";
export * from "./schema/own-figures.ts";
export * from "./schema/secrets.ts";
export * from "./schema/totals.ts";
export * from "./schema/webhooks.ts";

/** How a session passed the second factor. */
const secondFactorKinds = ["totp", "recovery_code"] as const;
export type SecondFactorKind = (typeof secondFactorKinds)[number];

/** The tables for queries. `migrations/` creates them; a test compares the two. */
const edgeMarks = customType<{ data: string }>({ dataType: () => `bit(${edgeBits})` });

export const accounts = pgTable("accounts", {
  id: uuid().primaryKey().defaultRandom(),
  email: text().notNull(),
  password_hash: text().notNull(),
  role: text({ enum: ["student", "admin"] })
    .notNull()
    .default("student"),
  email_verified_at: timestamptz("email_verified_at"),
  created_at: timestamptz("created_at").notNull(),
  last_sign_in_at: timestamptz("last_sign_in_at"),
  updated_at: timestamptz("updated_at"),
});

export const profiles = pgTable("profiles", {
  id: uuid().primaryKey(),
  email: text().notNull(),
  full_name: text().notNull(),
  subscription_status: text({ enum: subscriptionStatuses }).notNull().default("unpaid"),
  tier_changes: bigint({ mode: "number" }).notNull().default(0),
  created_at: timestamptz("created_at").notNull().default(new Date(0)),
  search_text: text()
    .notNull()
    .generatedAlwaysAs(sql`search_form(email || ' ' || full_name)`),
  sign_in_step: integer().notNull().default(0),
});

export const userNotes = pgTable("user_notes", {
  id: uuid().primaryKey().defaultRandom(),
  account_id: uuid().notNull(),
  text: text().notNull(),
  created_at: timestamptz("created_at").notNull(),
  updated_at: timestamptz("updated_at"),
});

export const sessions = pgTable("sessions", {
  id: uuid().primaryKey().defaultRandom(),
  account_id: uuid().notNull(),
  created_at: timestamptz("created_at").notNull(),
  revoked_at: timestamptz("revoked_at"),
  by_recovery: boolean().notNull().default(false),
  network: text().notNull().default(""),
  user_agent: text().notNull().default(""),
  last_seen_at: timestamptz("last_seen_at"),
  second_factor_at: timestamptz("second_factor_at"),
  second_factor_by: text({ enum: secondFactorKinds }),
  proven_at: timestamptz("proven_at"),
  stepped_up_at: timestamptz("stepped_up_at"),
});

export const mfaFactors = pgTable("mfa_factors", {
  id: uuid().primaryKey().defaultRandom(),
  account_id: uuid().notNull(),
  friendly_name: text().notNull(),
  sealed_secret: bytes().notNull(),
  created_at: timestamptz("created_at").notNull(),
  verified_at: timestamptz("verified_at"),
  last_challenged_at: timestamptz("last_challenged_at"),
  last_used_step: bigint({ mode: "number" }),
  passed_networks: text().array().notNull().default([]),
});

export const mfaRecoveryCodes = pgTable(
  "mfa_recovery_codes",
  { factor_id: uuid().notNull(), code_hash: bytes().notNull(), used_at: timestamptz("used_at") },
  (table) => [primaryKey({ columns: [table.factor_id, table.code_hash] })],
);

export const mfaChallenges = pgTable("mfa_challenges", {
  id: uuid().primaryKey().defaultRandom(),
  factor_id: uuid().notNull(),
  session_id: uuid().notNull(),
  created_at: timestamptz("created_at").notNull(),
  tries: integer().notNull().default(0),
});

export const emailChanges = pgTable("email_changes", {
  account_id: uuid().primaryKey(),
  new_email: text().notNull(),
  code_hash: bytes().notNull(),
  created_at: timestamptz("created_at").notNull(),
  expires_at: timestamptz("expires_at").notNull(),
  tries: integer().notNull().default(0),
});

export const refreshTokens = pgTable("refresh_tokens", {
  token_hash: bytes().primaryKey(),
  session_id: uuid().notNull(),
  created_at: timestamptz("created_at").notNull(),
  used_at: timestamptz("used_at"),
});

export const verificationCodes = pgTable("verification_codes", {
  id: uuid().primaryKey().defaultRandom(),
  user_id: uuid().notNull(),
  email: text().notNull(),
  code_hash: bytes().notNull(),
  created_at: timestamptz("created_at").notNull(),
  expires_at: timestamptz("expires_at").notNull(),
  tries: integer().notNull().default(0),
  superseded: boolean().notNull().default(false),
  verified: boolean().notNull().default(false),
});

export const passwordRecoveries = pgTable("password_recoveries", {
  token_hash: bytes().primaryKey(),
  account_id: uuid().notNull(),
  created_at: timestamptz("created_at").notNull(),
  expires_at: timestamptz("expires_at").notNull(),
  used_at: timestamptz("used_at"),
});

export const familiarNetworks = pgTable(
  "familiar_networks",
  {
    account_id: uuid().notNull(),
    network_hash: bytes().notNull(),
    last_used_at: timestamptz("last_used_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.network_hash] })],
);

export const auditLog = pgTable("audit_log", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  at: timestamptz("at").notNull(),
  actor_id: uuid(),
  actor_email: text().notNull(),
  action: text().notNull(),
  subject_type: text().notNull(),
  subject_id: text().notNull(),
  details: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  ip: text().notNull(),
});

export const storedObjects = pgTable("stored_objects", {
  id: uuid().primaryKey(),
  bucket: text({ enum: buckets }).notNull(),
  name: text().notNull(),
  filename: text().notNull(),
  owner_id: uuid(),
  content_type: text().notNull(),
  size: bigint({ mode: "number" }).notNull(),
  created_at: timestamptz("created_at").notNull(),
  replaced_by: uuid(),
  replaced_at: timestamptz("replaced_at"),
});

export const films = pgTable("films", {
  object_id: uuid().primaryKey(),
  playability: text({ enum: playabilities }),
  duration_seconds: doublePrecision(),
  width: integer(),
  height: integer(),
  codecs: text().array().notNull().default([]),
  sha256: bytes(),
  attempts: integer().notNull().default(0),
  next_attempt_at: timestamptz("next_attempt_at"),
  rewriting_id: uuid(),
  failures: integer().notNull().default(0),
  fragments_at: bigint({ mode: "number" }),
});

export const unfinishedUploads = pgTable("unfinished_uploads", {
  id: uuid().primaryKey(),
  owner_id: uuid().notNull(),
  bucket: text({ enum: uploadBuckets }).notNull(),
  size: bigint({ mode: "number" }).notNull(),
  metadata: jsonb().$type<Record<string, string | null>>().notNull(),
  created_at: timestamptz("created_at").notNull(),
});

export const screenshotFingerprints = pgTable("screenshot_fingerprints", {
  object_id: uuid().primaryKey(),
  sha256: bytes().notNull(),
  picture: bytes(),
  edges: edgeMarks(),
  bands: integer().array(),
});

export const duplicateScreenshots = pgTable(
  "duplicate_screenshots",
  {
    object_id: uuid().notNull(),
    other_object_id: uuid().notNull(),
    kind: text({ enum: duplicateKinds }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.object_id, table.other_object_id] })],
);

export const transferSlips = pgTable("transfer_slips", {
  object_id: uuid().primaryKey(),
  outcome: text({ enum: slipOutcomes }),
  sending_bank: text(),
  reference: text(),
  reference_form: text(),
  read_at: timestamptz("read_at"),
  attempts: integer().notNull().default(0),
  next_attempt_at: timestamptz("next_attempt_at"),
});

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
