import { sql } from "drizzle-orm";
import { bigint, boolean, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { subscriptionStatuses } from "#domain/packages";
import { bytes, timestamptz } from "./columns.ts";

/** How a session passed the second factor. */
const secondFactorKinds = ["totp", "recovery_code"] as const;
export type SecondFactorKind = (typeof secondFactorKinds)[number];

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
