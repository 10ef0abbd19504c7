import pg from "pg";
import type { Config } from "../../config.ts";

export interface ConnectionSettings extends pg.PoolConfig {
  /** False behind a pooler that loses prepared statements between transactions (`PREPARED_STATEMENTS`). */
  prepares?: boolean;
  /** The address without the pooler that this one leads through (`DATABASE_DIRECT_URL`), for what needs a session. */
  direct?: pg.ClientConfig;
}

/** Returns how to reach the database of `DATABASE_URL`; undefined where the database is embedded. */
export function configuredConnection(config: Pick<Config, "database">): ConnectionSettings | undefined {
  const connectionString = config.database.url;
  if (connectionString === undefined) return undefined;
  const directUrl = config.database.directUrl;
  const chosen = config.database.preparesStatements;
  const prepares = chosen === "auto" ? directUrl === undefined : chosen;
  return directUrl === undefined
    ? { connectionString, prepares }
    : { connectionString, prepares, direct: { connectionString: directUrl } };
}

/** Returns how to reach the same database by a session of one's own, past a pooler if there is one. */
export function directConnection(connection: ConnectionSettings): ConnectionSettings {
  return connection.direct ?? connection;
}

/** Returns a client that has yet to connect, and that the caller ends. */
export function newClient(settings: pg.ClientConfig): pg.Client {
  const client = new pg.Client(settings);
  // An error without a listener would end the process. A lost connection also fails the statement, and emits "end".
  client.on("error", () => {});
  return client;
}
