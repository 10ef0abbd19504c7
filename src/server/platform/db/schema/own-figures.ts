import { boolean, integer, numeric, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { packageTypes } from "#domain/packages";
import { cryptoTypes } from "#domain/payment-methods/methods";
import { timestamptz } from "./columns.ts";

/** What is one student's alone: addresses derived from a key, and amounts by their last digits. */
export const bitcoinKeys = pgTable("bitcoin_keys", {
  xpub: text().primaryKey(),
  next_index: integer().notNull(),
});

export const bitcoinAddresses = pgTable(
  "bitcoin_addresses",
  {
    xpub: text().notNull(),
    index: integer().notNull(),
    address: text().notNull(),
    user_id: uuid(),
    package_type: text({ enum: packageTypes }).notNull(),
    given_at: timestamptz("given_at").notNull(),
    held_until: timestamptz("held_until").notNull(),
    asked_at: timestamptz("asked_at"),
    has_history: boolean(),
  },
  (table) => [primaryKey({ columns: [table.xpub, table.index] })],
);

export const ownAmounts = pgTable(
  "own_amounts",
  {
    crypto_type: text({ enum: cryptoTypes }).notNull(),
    destination: text().notNull(),
    amount: numeric().notNull(),
    base_amount: numeric().notNull(),
    user_id: uuid().notNull(),
    package_type: text({ enum: packageTypes }).notNull(),
    held_until: timestamptz("held_until").notNull(),
  },
  (table) => [primaryKey({ columns: [table.crypto_type, table.destination, table.amount] })],
);
