import pg from "pg";
import type { ConnectionSettings } from "../db/connections.ts";
import { connectionDefaults } from "../db/database.ts";

/** Returns a connection of its own, for the long transaction of a backup or a restoration. */
export async function connect(connection: ConnectionSettings): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionDefaults, ...connection });
  // An error without a listener would end the process. A lost connection also fails the statement.
  client.on("error", () => {});
  await client.connect();
  return client;
}
