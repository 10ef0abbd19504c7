import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openToAccounts } from "../support/sites/open-to-accounts.ts";
import { startTcpProxy, type TcpProxy } from "../support/network/tcp-proxy.ts";
import { withDescendants } from "../support/processes.ts";
import { SUPERUSER } from "#server/platform/db/embedded/cluster/access-files";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "#server/platform/db/embedded/supervisor";

export interface OwnPostgres {
  /** What DATABASE_URL is set to: an address that leads through the proxy. */
  url: string;
  /** The same of another database of this server. */
  urlOf(database: string): string;
  proxy: TcpProxy;
  /** Runs one statement, past the proxy; on the site's database unless another is named. */
  sql(statement: string, database?: string): Promise<pg.QueryResult>;
  /** Runs one statement in a transaction that keeps its locks until it is let go. */
  hold(statement: string): Promise<() => Promise<void>>;
  /** The postmaster's process id. */
  pid(): Promise<number>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Holds the postmaster and every backend still, as a machine that swaps does. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  remove(): Promise<void>;
}

/** A PostgreSQL that is not the site's own, reached by TCP through a proxy; in a new folder below `base`. */
export async function startOwnPostgres(base = tmpdir(), settings: Record<string, string> = {}): Promise<OwnPostgres> {
  const dataDir = await openToAccounts(await mkdtemp(join(base, "pipwright-own-postgres-")));
  const run = () => startEmbeddedPostgres({ dataDir, say: () => {}, settings: { fsync: "off", ...settings } });
  let server: EmbeddedPostgres | undefined = await run();
  const { connection, clusterDir } = server;
  const proxy = await startTcpProxy(connection);
  const stop = async (): Promise<void> => {
    await server?.stop();
    server = undefined;
  };
  const connected = async (database = connection.database): Promise<pg.Client> => {
    const client = new pg.Client({ ...connection, database, user: SUPERUSER });
    // The statement may end the very server that it is sent to.
    client.on("error", () => {});
    await client.connect();
    return client;
  };
  const urlOf = (database: string): string => `postgres://${connection.user}@127.0.0.1:${proxy.port}/${database}`;
  return {
    url: urlOf(connection.database),
    urlOf,
    proxy,
    async sql(statement, database) {
      const client = await connected(database);
      try {
        return await client.query(statement);
      } finally {
        await client.end();
      }
    },
    async hold(statement) {
      const client = await connected();
      await client.query("begin");
      await client.query(statement);
      return () => client.end();
    },
    pid: async () => (await postmasterOf(clusterDir)) ?? 0,
    async start() {
      server ??= await run();
    },
    stop,
    freeze: () => signalPostgres(clusterDir, "SIGSTOP"),
    thaw: () => signalPostgres(clusterDir, "SIGCONT"),
    async remove() {
      await signalPostgres(clusterDir, "SIGCONT");
      await proxy.close();
      await stop();
      await rm(dataDir, { recursive: true, force: true });
      // A short folder of its own where the path of the data is too long for a socket.
      if (connection.host !== undefined) await rm(connection.host, { recursive: true, force: true });
    },
  };
}

/** The id of the postmaster that runs on a cluster; undefined when none does. */
export async function postmasterOf(clusterDir: string): Promise<number | undefined> {
  const text = await readFile(join(clusterDir, "postmaster.pid"), "utf8").catch(() => "");
  const pid = Number.parseInt(text, 10);
  return pid > 0 ? pid : undefined;
}

/** Sends a signal to the postmaster of a cluster and to its backends. */
export async function signalPostgres(clusterDir: string, signal: NodeJS.Signals): Promise<void> {
  const postmaster = await postmasterOf(clusterDir);
  if (postmaster === undefined) return;
  // The postmaster first, so that it starts no new backend meanwhile.
  for (const pid of await withDescendants(postmaster)) {
    try {
      process.kill(pid, signal);
    } catch {
      // It ended in between.
    }
  }
}
