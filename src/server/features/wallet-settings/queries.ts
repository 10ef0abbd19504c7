import { eq, sql } from "drizzle-orm";
import type { PriceName } from "#domain/payment-methods/settings";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { prepared } from "../../platform/db/prepared.ts";
import { walletSettings } from "../../platform/db/schema.ts";

export type WalletSettingsRow = typeof walletSettings.$inferSelect;

const settings = prepared((connection) =>
  connection.select().from(walletSettings).where(eq(walletSettings.id, 1)).prepare("wallet_settings"),
);

export async function findSettings(connection: Connection): Promise<WalletSettingsRow | undefined> {
  const [row] = await settings(connection).execute();
  return row;
}

/** Returns the settings, locked until the transaction ends. */
export async function lockSettings(tx: Transaction): Promise<WalletSettingsRow | undefined> {
  const [row] = await tx.select().from(walletSettings).where(eq(walletSettings.id, 1)).for("update");
  return row;
}

/** Stores prices alone; the other settings stay. */
export async function updatePrices(tx: Transaction, prices: Partial<Record<PriceName, string>>, now: Date): Promise<void> {
  const values = { ...prices, updated_at: now };
  await tx
    .insert(walletSettings)
    .values({ id: 1, ...values })
    .onConflictDoUpdate({ target: walletSettings.id, set: values });
}

/** Returns the stored settings. */
export async function upsertSettings(
  connection: Connection,
  values: Omit<typeof walletSettings.$inferInsert, "id">,
): Promise<WalletSettingsRow> {
  const [row] = await connection
    .insert(walletSettings)
    .values({ id: 1, ...values })
    .onConflictDoUpdate({ target: walletSettings.id, set: values })
    .returning();
  return row!;
}

/** Ends the quotes that were made so far (GUARD-4), also one that is stored just now by settings that were read before. */
export async function advanceQuoteGeneration(tx: Transaction): Promise<void> {
  await tx
    .update(walletSettings)
    .set({ quote_generation: sql`${walletSettings.quote_generation} + 1` })
    .where(eq(walletSettings.id, 1));
}
