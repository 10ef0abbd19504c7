import pg from "pg";
import type { Config } from "../../config.ts";

/** Milliseconds to open a connection, and to wait for a free one in the pool. */
const connectMs = 10_000;

/** Settings of every connection: a silent server is detected by a connection timeout and by TCP keep-alive. */
export const connectionDefaults = {
  connectionTimeoutMillis: connectMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} satisfies pg.ClientConfig;

/**
 * The same at the server, which otherwise keeps the locks of a machine that vanished for hours: it ends the session after 25 s. Longer than this
 * side takes, so that a process that is cut off lets go first. Without effect on a Unix socket.
 */
export const serverKeepAlive = {
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  // In milliseconds: the limit while sent bytes are not acknowledged, when no keep-alive is sent.
  tcp_user_timeout: 25_000,
};

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

/** Returns a connected client with a session of its own, for locks and notifications past the pool. The caller ends it. */
export async function connectSession(settings: pg.ClientConfig): Promise<pg.Client> {
  const client = newClient({ ...connectionDefaults, ...settings });
  try {
    await client.connect();
    // Without a limit of its own: a full pooler lets the first statement of a backup wait for minutes.
    await client.query(setStatements("session", serverKeepAlive));
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
}

/** Returns statements that set values. They are no startup parameters: poolers such as PgBouncer refuse those. */
export function setStatements(scope: "session" | "local", values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => `set ${scope} ${name} = ${value}`)
    .join("; ");
}
