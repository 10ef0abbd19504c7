import { integer, pgTable } from "drizzle-orm/pg-core";
import { bytes } from "./columns.ts";

/** Which secrets the database is used with; one row. */
export const secretsFingerprint = pgTable("secrets_fingerprint", {
  id: integer().primaryKey().default(1),
  fingerprint: bytes().notNull(),
});
