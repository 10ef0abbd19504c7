import { bigint, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { timestamptz } from "./columns.ts";

/** Events for the seller's own programs, kept for a while after they were delivered. */
export const webhookEvents = pgTable("webhook_events", {
  id: uuid().primaryKey().defaultRandom(),
  place: bigint({ mode: "number" }).generatedAlwaysAsIdentity(),
  payment_request_id: uuid().notNull(),
  type: text().notNull(),
  body: text().notNull(),
  created_at: timestamptz("created_at").notNull(),
  attempts: integer().notNull().default(0),
  next_attempt_at: timestamptz("next_attempt_at"),
  attempted_at: timestamptz("attempted_at"),
  delivered_at: timestamptz("delivered_at"),
  given_up_at: timestamptz("given_up_at"),
  last_error: text(),
});
