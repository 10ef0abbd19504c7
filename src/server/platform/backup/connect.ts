import type pg from "pg";
import { newClient, type ConnectionSettings } from "../db/connections.ts";
import { connectionDefaults } from "../db/database.ts";

/** Returns a connection of its own, for the long transaction of a backup or a restoration. */
export async function connect(connection: ConnectionSettings): Promise<pg.Client> {
  const client = newClient({ ...connectionDefaults, ...connection });
  await client.connect();
  return client;
}
