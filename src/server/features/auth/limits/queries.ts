import { eq, lt, sql } from "drizzle-orm";
import type { Connection } from "../../../platform/db/database.ts";
import { familiarNetworks } from "../../../platform/db/schema.ts";
import { deleteRows } from "../../../platform/retention/delete-rows.ts";

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
