import type pg from "pg";
import { findPackagedPostgres, majorOf, type PostgresBinaries } from "./binaries.ts";
import { ensureCluster, removeLeftovers } from "./cluster.ts";
import { asStartError, DataFolderInUseError, DatabaseStartError } from "./errors.ts";
import { connectionTo, type SocketConnection } from "./knock.ts";
import { takeOwnership } from "./ownership.ts";
import { findPlace, type Place } from "./place.ts";
import { stopPostmaster, type Site } from "./postmaster.ts";
import { readPostmasterFile } from "./postmaster-file.ts";
import { reachServer } from "./reach.ts";
import { Guard } from "./restarts.ts";
import { FINGERPRINT, fingerprintOf, serverArguments, type ServerSettings } from "./settings.ts";
import { socketFolderOf } from "./socket-folder.ts";
import { usableBinaries, type UsableBinaries } from "./usable-binaries.ts";

export { findPackagedPostgres, findSystemPostgres, type PostgresBinaries } from "./binaries.ts";
export { DatabaseStartError, DataFolderInUseError } from "./errors.ts";

/** A running embedded PostgreSQL that this process owns. */
export interface EmbeddedPostgres {
  /** For node-postgres: the socket's folder, the role and the database. */
  connection: SocketConnection;
  /** Where the cluster lives; outside the data folder when the database's account cannot use that. */
  clusterDir: string;
  /** Stops the server, which ends the ownership, and waits until it is gone; cleanly if `withinMs` allows (default 40 s). */
  stop(withinMs?: number): Promise<void>;
}

/** What `startEmbeddedPostgres` takes. */
export interface EmbeddedPostgresOptions {
  /** Absolute. */
  dataDir: string;
  /** Progress lines for a human. */
  say: (line: string) => void;
  /** Default: those of the npm package. */
  binaries?: PostgresBinaries;
  /** More settings of `postgres`, by name. */
  settings?: Record<string, string>;
  /** For root: where clusters and binaries go that the database's account cannot reach. */
  machineDir?: string;
  /** Aborted, the start ends with its reason and leaves no process behind. */
  stopped?: AbortSignal;
  /** Called once, when the server has ended too often or another process owns it now. Default: one line to `say`. */
  onLost?: (error: Error) => void;
}

type Say = EmbeddedPostgresOptions["say"];

const DATABASE = "pipwright";
const MACHINE_DIR = "/var/lib/pipwright";
const RESTARTS = 3;

/** Starts the PostgreSQL of a data folder, or adopts the one that a killed process left; one owner at a time. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options);
  } catch (error) {
    throw asStartError(error, options.dataDir);
  }
}

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, say, settings = {}, machineDir = MACHINE_DIR, stopped = new AbortController().signal } = options;
  const place = await findPlace(dataDir, machineDir, say);
  const binaries = await usableBinaries(options.binaries ?? (await findPackagedPostgres()), place.account, machineDir, say);
  await ensureCluster(place, binaries, settings["fsync"] !== "off", say, stopped);
  const site = siteOf(place, binaries, settings);
  return takeCharge(site, await claimServer(site, dataDir, say, stopped), options);
}

/** The connection that holds the lock. */
interface Owner {
  client: pg.Client;
  host: string;
}

async function claimServer(site: Site, dataDir: string, say: Say, stopped: AbortSignal): Promise<Owner> {
  for (let restart = 0; restart < RESTARTS; restart++) {
    const { client, host } = await reachServer(site, say, stopped);
    await claim(client, dataDir, host);
    const pid = await postmasterPid(site.place);
    if (await isWhatWeWouldStart(client, site)) return { client, host };
    say("PostgreSQL runs from an earlier start with other settings: restarting it ...");
    await stopPostmaster(pid, site.place.clusterDir, say);
    await client.end().catch(() => undefined);
  }
  throw new DatabaseStartError(`PostgreSQL on ${dataDir} is started by something else again and again`);
}

function siteOf(place: Place, { bin, version }: UsableBinaries, extra: Record<string, string>): Site {
  const socketFolder = socketFolderOf(place);
  const settings: ServerSettings = { socketFolder, major: majorOf(version), extra };
  const fingerprint = fingerprintOf(bin, version, settings);
  return { place, bin, socketFolder, fingerprint, arguments: serverArguments(place.clusterDir, settings, fingerprint) };
}

async function claim(client: pg.Client, dataDir: string, host: string): Promise<void> {
  const holder = await takeOwnership(client);
  if (holder === undefined) return;
  await client.end();
  const connection = connectionTo(host, DATABASE);
  throw new DataFolderInUseError(`Already running on this data folder: ${dataDir} (${holder})`, connection);
}

async function postmasterPid({ clusterDir }: Place): Promise<number> {
  const file = await readPostmasterFile(clusterDir);
  if (!file) throw new DatabaseStartError(`PostgreSQL runs, but ${clusterDir}/postmaster.pid is gone`);
  return file.pid;
}

async function isWhatWeWouldStart(client: pg.Client, site: Site): Promise<boolean> {
  const query = "select current_setting($1, true) as fingerprint";
  const { rows } = await client.query<{ fingerprint: string | null }>(query, [FINGERPRINT]);
  return rows[0]?.fingerprint === site.fingerprint;
}

async function takeCharge(site: Site, owner: Owner, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, say } = options;
  const { home, clusterDir } = site.place;
  const guard = new Guard({
    clusterDir,
    owner: owner.client,
    async claim(stopped) {
      const { client, host } = await claimServer(site, dataDir, say, stopped);
      // The pool was made for the socket in the first folder.
      if (host === owner.host) return client;
      await client.end();
      throw new DatabaseStartError(`PostgreSQL moved from ${owner.host} to ${host}`);
    },
    say,
    onLost: options.onLost ?? ((error) => say(error.message)),
  });
  const stopOnce = async (withinMs?: number) => {
    await guard.stop();
    const file = await readPostmasterFile(clusterDir);
    // The lock is held until the server itself lets it go: nobody adopts a server that is about to stop.
    if (file) await stopPostmaster(file.pid, clusterDir, say, withinMs);
    await guard.release();
  };
  let stopping: Promise<void> | undefined;
  const stop = (withinMs?: number) => (stopping ??= stopOnce(withinMs));
  try {
    await removeLeftovers(home);
    await ensureDatabase(owner.client);
    options.stopped?.throwIfAborted();
  } catch (error) {
    await stop();
    throw error;
  }
  return { connection: connectionTo(owner.host, DATABASE), clusterDir, stop };
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [DATABASE]);
  if (!rowCount) await client.query(`create database ${DATABASE}`);
}
