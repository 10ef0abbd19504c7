import type pg from "pg";
import { findPackagedPostgres, majorOf, type PostgresBinaries } from "./binaries/find-binaries.ts";
import { ensureUsableBinaries } from "./binaries/usable-binaries.ts";
import { SITE_ROLE } from "./cluster/access-files.ts";
import { ensureCluster, removeDrafts } from "./cluster/initdb.ts";
import { locateCluster, type ClusterLocation } from "./cluster/location.ts";
import { readPostmasterFile } from "./cluster/postmaster-file.ts";
import { FINGERPRINT, settingsFingerprint, serverArguments, type ServerSettings } from "./cluster/settings.ts";
import { asStartError, DataFolderInUseError, DatabaseStartError } from "./errors.ts";
import { socketConnection, type SocketConnection } from "./server/connect.ts";
import { acquireDataFolderLock } from "./server/data-folder-lock.ts";
import { stopPostmaster, type ServerSpec } from "./server/postmaster.ts";
import { RestartMonitor } from "./server/restarts.ts";
import { DATABASE, lacksSiteRole, prepareDatabase, sealDatabase } from "./server/site-role.ts";
import { socketFolderOf } from "./server/socket-folder.ts";
import { waitUntilReady } from "./server/wait-until-ready.ts";

export { DatabaseStartError, DataFolderInUseError } from "./errors.ts";

/** A running embedded PostgreSQL that this process owns. */
export interface EmbeddedPostgres {
  /** Connection settings for node-postgres, of the role that owns the tables and is no superuser. */
  connection: SocketConnection;
  /** PostgreSQL's data directory; outside the data folder when the database's account has no access there. */
  clusterDir: string;
  /** Takes the audit log's ownership from that role (AUDIT-1). Called once the migrations, which may change it, are applied. */
  seal(): Promise<void>;
  /** Stops the server and waits until it has ended: a fast shutdown, then an immediate one, within `withinMs` (default 40 s). */
  stop(withinMs?: number): Promise<void>;
}

/** Options of `startEmbeddedPostgres`. */
export interface EmbeddedPostgresOptions {
  /** Absolute path. */
  dataDir: string;
  /** Receives progress lines for the operator. */
  say: (line: string) => void;
  /** Default: the binaries of the npm package. */
  binaries?: PostgresBinaries;
  /** More settings of `postgres`, by name. */
  settings?: Record<string, string>;
  /** For root: holds clusters and binaries that the database's account has no access to elsewhere. */
  machineDir?: string;
  /** When it aborts, the start throws its reason and leaves no process behind. */
  stopped?: AbortSignal;
  /** Called once, when the server has ended too often or another process owns it now. Default: passes the message to `say`. */
  onLost?: (error: Error) => void;
}

type Say = EmbeddedPostgresOptions["say"];

const MACHINE_DIR = "/var/lib/pipwright";
const RESTARTS = 3;

/**
 * Starts the PostgreSQL of a data folder, or adopts the one that a killed process left running. Throws `DataFolderInUseError` when
 * another process owns the folder and `DatabaseStartError` when PostgreSQL cannot start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options);
  } catch (error) {
    throw asStartError(error, options.dataDir);
  }
}

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, say, stopped = new AbortController().signal } = options;
  const spec = await locate(options, stopped);
  const owner = await startOrAdopt(spec, dataDir, say, stopped);
  return supervise(spec, owner, options);
}

/** Finds or makes the cluster, and returns what its server is started with. */
async function locate(options: EmbeddedPostgresOptions, stopped: AbortSignal): Promise<ServerSpec> {
  const { dataDir, say, settings: extra = {}, machineDir = MACHINE_DIR } = options;
  const location = await locateCluster(dataDir, machineDir, say);
  const packaged = options.binaries ?? (await findPackagedPostgres());
  const binaries = await ensureUsableBinaries(packaged, location.account, machineDir, say);
  await ensureCluster(location, binaries, extra["fsync"] !== "off", say, stopped);
  const socketFolder = socketFolderOf(location);
  const settings: ServerSettings = { socketFolder, major: majorOf(binaries.version), extra };
  const fingerprint = settingsFingerprint(binaries.bin, binaries.version, settings);
  const args = serverArguments(location.clusterDir, settings, fingerprint);
  return { location, bin: binaries.bin, socketFolder, fingerprint, arguments: args };
}

/** The connection that holds the lock. */
interface Owner {
  client: pg.Client;
  host: string;
}

/** Starts the server, or adopts a running one with the same settings, and takes the data folder's lock. */
async function startOrAdopt(spec: ServerSpec, dataDir: string, say: Say, stopped: AbortSignal): Promise<Owner> {
  for (let restart = 0; restart < RESTARTS; restart++) {
    const { client, host } = await waitUntilReady(spec, say, stopped);
    await claim(client, dataDir, host);
    const pid = await postmasterPid(spec.location);
    if (await hasSameSettings(client, spec)) return { client, host };
    say("PostgreSQL runs from an earlier start with other settings: restarting it ...");
    await stopPostmaster(pid, spec.location.clusterDir, say);
    await client.end().catch(() => undefined);
  }
  throw new DatabaseStartError(`PostgreSQL on ${dataDir} is started by something else again and again`);
}

async function claim(client: pg.Client, dataDir: string, host: string): Promise<void> {
  const holder = await acquireDataFolderLock(client);
  if (holder === undefined) return;
  const isOlder = await lacksSiteRole(client);
  await client.end();
  const message = `Already running on this data folder: ${dataDir} (${holder})`;
  if (isOlder) throw new DataFolderInUseError(`${message}. It is an older version: stop it first`, undefined);
  throw new DataFolderInUseError(message, socketConnection(host, DATABASE, SITE_ROLE));
}

async function postmasterPid({ clusterDir }: ClusterLocation): Promise<number> {
  const file = await readPostmasterFile(clusterDir);
  if (!file) throw new DatabaseStartError(`PostgreSQL runs, but ${clusterDir}/postmaster.pid is gone`);
  return file.pid;
}

async function hasSameSettings(client: pg.Client, spec: ServerSpec): Promise<boolean> {
  const query = "select current_setting($1, true) as fingerprint";
  const { rows } = await client.query<{ fingerprint: string | null }>(query, [FINGERPRINT]);
  return rows[0]?.fingerprint === spec.fingerprint;
}

/** Keeps the server running until `stop` of the returned object shuts it down. */
async function supervise(spec: ServerSpec, owner: Owner, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, say } = options;
  const { home, clusterDir } = spec.location;
  const monitor = new RestartMonitor({
    clusterDir,
    owner: owner.client,
    async claim(stopped) {
      const { client, host } = await startOrAdopt(spec, dataDir, say, stopped);
      // The pool was made for the first socket folder.
      if (host === owner.host) return client;
      await client.end();
      throw new DatabaseStartError(`PostgreSQL moved from ${owner.host} to ${host}`);
    },
    say,
    onLost: options.onLost ?? ((error) => say(error.message)),
  });
  let stopping: Promise<void> | undefined;
  const stop = (withinMs?: number) => (stopping ??= shutDown(monitor, clusterDir, say, withinMs));
  try {
    await removeDrafts(home);
    await prepareDatabase(owner.client, owner.host);
    options.stopped?.throwIfAborted();
  } catch (error) {
    await stop();
    throw error;
  }
  const seal = () => sealDatabase(owner.host);
  return { connection: socketConnection(owner.host, DATABASE, SITE_ROLE), clusterDir, seal, stop };
}

async function shutDown(monitor: RestartMonitor, clusterDir: string, say: Say, withinMs?: number): Promise<void> {
  await monitor.stop();
  const file = await readPostmasterFile(clusterDir);
  // The lock is held until the server has ended, so that no process adopts a server that is about to stop.
  if (file) await stopPostmaster(file.pid, clusterDir, say, withinMs);
  await monitor.release();
}
