import type pg from "pg";
import { findPackagedPostgres, majorOf, type PostgresBinaries } from "./binaries.ts";
import { ensureCluster, removeLeftovers } from "./cluster.ts";
import { asStartError, DataFolderInUseError, DatabaseStartError } from "./errors.ts";
import { connectionTo, knock, type SocketConnection } from "./knock.ts";
import { Ownership, OWNER_NAME, takeOwnership } from "./ownership.ts";
import { findPlace, type Place } from "./place.ts";
import { stopPostmaster, type Site } from "./postmaster.ts";
import { readPostmasterFile } from "./postmaster-file.ts";
import { reachServer } from "./reach.ts";
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
  /** Stops the server cleanly, which ends the ownership, and waits until it is gone. */
  stop(): Promise<void>;
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
  const { dataDir, say, settings = {}, machineDir = MACHINE_DIR } = options;
  const place = await findPlace(dataDir, machineDir, say);
  const binaries = await usableBinaries(options.binaries ?? (await findPackagedPostgres()), place.account, machineDir, say);
  await ensureCluster(place, binaries, settings["fsync"] !== "off", say);
  const site = siteOf(place, binaries, settings);
  for (let restart = 0; restart < RESTARTS; restart++) {
    const { client, host } = await reachServer(site, say);
    await claim(client, dataDir, host);
    const pid = await postmasterPid(place);
    if (await isWhatWeWouldStart(client, site)) return takeCharge(site, client, host, pid, say);
    say("PostgreSQL runs from an earlier start with other settings: restarting it ...");
    await stopPostmaster(pid, place.clusterDir, say);
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

async function takeCharge(site: Site, client: pg.Client, host: string, pid: number, say: Say): Promise<EmbeddedPostgres> {
  const { home, clusterDir, account } = site.place;
  const ownership = new Ownership(client, async () => {
    const answer = await knock([host], account, OWNER_NAME);
    return answer.kind === "open" ? answer.client : undefined;
  });
  const stopOnce = async () => {
    // The lock is held until the server itself lets it go: nobody adopts a server that is about to stop.
    ownership.expectEnd();
    await stopPostmaster(pid, clusterDir, say);
    await ownership.release();
  };
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= stopOnce());
  try {
    await removeLeftovers(home);
    await ensureDatabase(client);
  } catch (error) {
    await stop();
    throw error;
  }
  return { connection: connectionTo(host, DATABASE), clusterDir, stop };
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [DATABASE]);
  if (!rowCount) await client.query(`create database ${DATABASE}`);
}
