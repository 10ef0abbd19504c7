import { and, eq, isNotNull, lt, sql } from "drizzle-orm";
import type { Connection } from "../../../platform/db/database.ts";
import { accounts, familiarNetworks } from "../../../platform/db/schema.ts";
import { deleteRows } from "../../../platform/retention/delete-rows.ts";

/** Returns when the verified account of an address was last signed in to from a network; undefined for a network that is not familiar. */
export async function findLastUse(connection: Connection, email: string, networkHash: Buffer): Promise<Date | undefined> {
  const [row] = await connection
    .select({ lastUsedAt: familiarNetworks.last_used_at })
    .from(familiarNetworks)
    .innerJoin(accounts, eq(accounts.id, familiarNetworks.account_id))
    .where(
      and(eq(accounts.email, email), isNotNull(accounts.email_verified_at), eq(familiarNetworks.network_hash, networkHash)),
    );
  return row?.lastUsedAt;
}

/** Remembers a network of an account, and forgets all but the `most` that were used last. */
export async function upsertNetwork(
  connection: Connection,
  row: typeof familiarNetworks.$inferInsert,
  most: number,
): Promise<void> {
  await connection
    .insert(familiarNetworks)
    .values(row)
    .onConflictDoUpdate({
      target: [familiarNetworks.account_id, familiarNetworks.network_hash],
      set: { last_used_at: row.last_used_at },
    });
  await connection.execute(sql`
    delete from familiar_networks where account_id = ${row.account_id} and network_hash not in (
      select network_hash from familiar_networks where account_id = ${row.account_id}
      order by last_used_at desc, network_hash limit ${most}
    )`);
}

export async function deleteNetworks(connection: Connection, accountId: string): Promise<void> {
  await connection.delete(familiarNetworks).where(eq(familiarNetworks.account_id, accountId));
}

export function deleteUnusedNetworks(connection: Connection, usedBefore: Date, limit: number): Promise<number> {
  return deleteRows(connection, familiarNetworks, lt(familiarNetworks.last_used_at, usedBefore), limit);
}
