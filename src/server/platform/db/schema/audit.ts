import { bigint, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { timestamptz } from "./columns.ts";

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
