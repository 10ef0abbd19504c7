import pg from "pg";
import { ROLE } from "./access-files.ts";
import { refuseStrangers } from "./socket-folder.ts";
import type { DbAccount } from "./account.ts";
import { PORT } from "./settings.ts";

/** For node-postgres: the socket's folder, the role and the database. */
export interface SocketConnection {
  host: string;
  port: number;
  user: string;
  database: string;
  /** Said outright, or an operator's PGSSLMODE would ask the socket for TLS. */
  ssl: false;
}

/** How a server answered an attempt to connect. */
export type Answer =
  | { kind: "open"; client: pg.Client; host: string }
  /** Nobody listens. */
  | { kind: "absent" }
  /** It is starting, recovering or shutting down. */
  | { kind: "changing" }
  /** It listens and does not serve us now. */
  | { kind: "mute"; reason: string }
  | { kind: "refused"; reason: string };

const NOBODY_LISTENS = new Set(["ENOENT", "ECONNREFUSED", "ENOTDIR"]);
const CANNOT_CONNECT_NOW = "57P03";
const SHUTTING_DOWN = new Set([CANNOT_CONNECT_NOW, "57P01", "57P02"]);
const TOO_MANY_CONNECTIONS = "53300";

/** How to connect to a database of the cluster. */
export function connectionTo(host: string, database: string): SocketConnection {
  return { host, port: PORT, user: ROLE, database, ssl: false };
}

/** Tries each socket folder in turn, once; `name` is shown in pg_stat_activity. */
export async function knock(folders: string[], account: DbAccount, name: string): Promise<Answer> {
  for (const folder of folders) {
    const answer = await knockAt(folder, account, name);
    if (answer.kind !== "absent") return answer;
  }
  return { kind: "absent" };
}

async function knockAt(folder: string, account: DbAccount, name: string): Promise<Answer> {
  await refuseStrangers(folder, account);
  const connection = connectionTo(folder, "postgres");
  const client = new pg.Client({ ...connection, application_name: name, connectionTimeoutMillis: 5000 });
  // An error event without a listener would end the process; a lost connection is noticed by "end".
  client.on("error", () => undefined);
  try {
    await client.connect();
    return { kind: "open", client, host: folder };
  } catch (error) {
    return answerIn(error as Error & { code?: string });
  }
}

function answerIn({ code = "", message }: Error & { code?: string }): Answer {
  if (NOBODY_LISTENS.has(code)) return { kind: "absent" };
  if (SHUTTING_DOWN.has(code) || code === "ECONNRESET" || code === "EPIPE") return { kind: "changing" };
  if (/terminated unexpectedly/.test(message)) return { kind: "changing" };
  if (code === TOO_MANY_CONNECTIONS || /timeout/.test(message)) return { kind: "mute", reason: message };
  return { kind: "refused", reason: message };
}
