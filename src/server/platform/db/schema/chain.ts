import { bigint, integer, jsonb, numeric, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { ChainFacts } from "#domain/evidence/chain-facts";
import { coins } from "#domain/payment-methods/settings";
import { serviceProblems } from "../../chain/chain.ts";
import { timestamptz } from "./columns.ts";

/** The tables of what arrived, beside those of `schema.ts`. */
export const chainLookups = pgTable("chain_lookups", {
  request_id: uuid().primaryKey(),
  coin: text({ enum: coins }).notNull(),
  destination: text().notNull(),
  since: timestamptz("since").notNull(),
  facts: jsonb().$type<ChainFacts>(),
  looked_at: timestamptz("looked_at"),
  failures: integer().notNull().default(0),
  attempts: integer().notNull().default(0),
  next_at: timestamptz("next_at"),
});

export const chainPayments = pgTable(
  "chain_payments",
  { request_id: uuid().notNull(), transaction_id: text().notNull(), destination: text().notNull() },
  (table) => [primaryKey({ columns: [table.request_id, table.transaction_id] })],
);

export const chainServices = pgTable("chain_services", {
  coin: text({ enum: coins }).primaryKey(),
  failures: integer().notNull().default(0),
  failing_since: timestamptz("failing_since"),
  problem: text({ enum: serviceProblems }),
  closed_until: timestamptz("closed_until"),
  asked_to_wait_until: timestamptz("asked_to_wait_until"),
});

export const ethereumScan = pgTable("ethereum_scan", {
  id: integer().primaryKey().default(1),
  next_block: bigint({ mode: "number" }),
  last_block_id: text(),
  due_at: timestamptz("due_at"),
  tip_at: timestamptz("tip_at"),
});

export const ethereumDestinations = pgTable("ethereum_destinations", {
  destination: text().primaryKey(),
  read_since: timestamptz("read_since").notNull(),
});

export const ethereumTransfers = pgTable("ethereum_transfers", {
  transaction_id: text().primaryKey(),
  destination: text().notNull(),
  sender: text().notNull(),
  amount: numeric().notNull(),
  at: timestamptz("at").notNull(),
});
