import { eq } from "drizzle-orm";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { walletSettings } from "../../platform/db/schema.ts";

export type WalletSettingsRow = typeof walletSettings.$inferSelect;

export async function read(connection: Connection): Promise<WalletSettingsRow | undefined> {
  const [row] = await connection.select().from(walletSettings).where(eq(walletSettings.id, 1));
  return row;
}

export async function readForUpdate(tx: Transaction): Promise<WalletSettingsRow | undefined> {
  const [row] = await tx.select().from(walletSettings).where(eq(walletSettings.id, 1)).for("update");
  return row;
}

export async function write(connection: Connection, values: Omit<WalletSettingsRow, "id">): Promise<WalletSettingsRow> {
  const [row] = await connection
    .insert(walletSettings)
    .values({ id: 1, ...values })
    .onConflictDoUpdate({ target: walletSettings.id, set: values })
    .returning();
  return row!;
}
