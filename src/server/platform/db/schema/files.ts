import { bigint, customType, doublePrecision, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { playabilities } from "#domain/film";
import { slipOutcomes } from "#domain/evidence/slip";
import { duplicateKinds } from "#domain/payments/payment-request";
import { edgeBits } from "#domain/payments/perceptual-fingerprint";
import { buckets, uploadBuckets } from "#domain/files/buckets";
import { bytes, timestamptz } from "./columns.ts";

const edgeMarks = customType<{ data: string }>({ dataType: () => `bit(${edgeBits})` });

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
  // Of the first code on the picture; `slip_codes` has all.
  sending_bank: text(),
  reference: text(),
  reference_form: text(),
  read_at: timestamptz("read_at"),
  attempts: integer().notNull().default(0),
  next_attempt_at: timestamptz("next_attempt_at"),
  failures: integer().notNull().default(0),
});

export const slipCodes = pgTable(
  "slip_codes",
  {
    object_id: uuid().notNull(),
    sending_bank: text().notNull(),
    reference: text().notNull(),
    reference_form: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.object_id, table.sending_bank, table.reference_form] })],
);
