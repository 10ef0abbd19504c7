import type pg from "pg";
import { newClient } from "../../connections.ts";
import { SUPERUSER } from "../cluster/access-files.ts";
import { PORT } from "../cluster/settings.ts";
import type { DbAccount } from "../os/accounts.ts";
import { refuseForeignFolder } from "./socket-folder.ts";

/** Connection settings for node-postgres: the socket's folder, the role and the database. */
export interface SocketConnection {
  host: string;
  port: number;
  user: string;
  database: string;
  /** Set, or an operator's PGSSLMODE would request TLS on the socket. */
  ssl: false;
  /** Set, or PGSSLNEGOTIATION would ask for it. */
  sslnegotiation: "postgres";
}

/** The result of one attempt to connect. */
export type Attempt =
  | { kind: "connected"; client: pg.Client; host: string }
  /** No process listens on the socket. */
  | { kind: "not_listening" }
  /** The server is starting, recovering or shutting down. */
  | { kind: "not_ready" }
  /** The server listens but does not accept this connection now: no free slot, or no reply in time. */
  | { kind: "busy"; reason: string }
  /** Final: the server runs and refuses this role or database. */
  | { kind: "refused"; reason: string };

const NOT_LISTENING = new Set(["ENOENT", "ECONNREFUSED", "ENOTDIR"]);
const CANNOT_CONNECT_NOW = "57P03";
const NOT_READY = new Set([CANNOT_CONNECT_NOW, "57P01", "57P02"]);
const TOO_MANY_CONNECTIONS = "53300";

/** Returns the connection settings for a database of the cluster. `host` is the socket's folder. */
export function socketConnection(host: string, database: string, user: string): SocketConnection {
  return { host, port: PORT, user, database, ssl: false, sslnegotiation: "postgres" };
}

/**
 * Tries each socket folder once, in order, and returns the first result other than `not_listening`. `name` appears in
 * pg_stat_activity. Throws when a folder belongs to another account.
 */
export async function connectOnce(folders: string[], account: DbAccount, name: string): Promise<Attempt> {
  for (const folder of folders) {
    const attempt = await connectTo(folder, account, name);
    if (attempt.kind !== "not_listening") return attempt;
  }
  return { kind: "not_listening" };
}

async function connectTo(folder: string, account: DbAccount, name: string): Promise<Attempt> {
  await refuseForeignFolder(folder, account);
  const connection = socketConnection(folder, "postgres", SUPERUSER);
  const client = newClient({ ...connection, application_name: name, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
    return { kind: "connected", client, host: folder };
  } catch (error) {
    return attemptOf(error as Error & { code?: string });
  }
}

function attemptOf({ code = "", message }: Error & { code?: string }): Attempt {
  if (NOT_LISTENING.has(code)) return { kind: "not_listening" };
  if (NOT_READY.has(code) || code === "ECONNRESET" || code === "EPIPE") return { kind: "not_ready" };
  if (/terminated unexpectedly/.test(message)) return { kind: "not_ready" };
  if (code === TOO_MANY_CONNECTIONS || /timeout/.test(message)) return { kind: "busy", reason: message };
  return { kind: "refused", reason: message };
}
