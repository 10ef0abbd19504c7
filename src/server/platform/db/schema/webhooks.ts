import { bigint, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { moment } from "./course.ts";

/** Events for the seller's own programs, kept for a while after they were delivered. */
export const webhookEvents = pgTable("webhook_events", {
  id: uuid().primaryKey().defaultRandom(),
  place: bigint({ mode: "number" }).generatedAlwaysAsIdentity(),
  payment_request_id: uuid().notNull(),
  type: text().notNull(),
  body: text().notNull(),
  created_at: moment("created_at").notNull(),
  attempts: integer().notNull().default(0),
  next_attempt_at: moment("next_attempt_at"),
  delivered_at: moment("delivered_at"),
  given_up_at: moment("given_up_at"),
  last_error: text(),
});
