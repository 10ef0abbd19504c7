import { constants } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../config.ts";
import { configuredConnection, directConnection, type ConnectionSettings } from "../platform/db/connections.ts";
import { openDatabase, type Database } from "../platform/db/database.ts";
import { DataFolderInUseError, startEmbeddedPostgres } from "../platform/db/embedded/supervisor.ts";
import { migrate } from "../platform/db/migrate.ts";
import { errorLine } from "../platform/logging/describe-error.ts";
import { StartError } from "../start-faults.ts";
import { say } from "./run-command.ts";

/**
 * Runs a command's action on the site's migrated database: DATABASE_DIRECT_URL or DATABASE_URL, or the embedded one, which is started for it unless the site
 * runs already. Throws `DataFolderInUseError` instead of using the embedded database of a running site where `besideSite` is false.
 */
export function withDatabase<Result>(
  config: Config,
  action: (db: Database) => Promise<Result>,
  { besideSite = true } = {},
): Promise<Result> {
  const onDatabase = async ({ connection, seal }: UsedDatabase): Promise<Result> => {
    await migrate(connection, join(config.projectDir, "migrations"));
    await seal();
    const db = openDatabase(connection, (error) => say(`Database connection lost: ${errorLine(error)}`));
    try {
      return await action(db);
    } finally {
      await db.$client.end();
    }
  };
  return withConnection(config, onDatabase, { besideSite });
}

/** Milliseconds that an action has to clean up once it is stopped. */
const cleanupMs = 5000;

/**
 * Runs an action on the site's database as it is, found as `withDatabase` finds it. The first signal aborts `stopped` of what the action gets, and
 * ends the process once the action has cleaned up.
 */
export async function withConnection<Result>(
  config: Config,
  action: (found: UsedDatabase & { stopped: AbortSignal }) => Promise<Result>,
  { besideSite = true } = {},
): Promise<Result> {
  const stopping = new AbortController();
  let found: FoundDatabase | undefined;
  let running: Promise<Result> | undefined;
  // A database that was started for the command would run on without it.
  const onSignal = (signal: NodeJS.Signals): void => {
    // Ctrl-C through npm arrives twice.
    if (stopping.signal.aborted) return;
    stopping.abort(new StartError(`Stopped by ${signal}.`));
    if (found === undefined) return;
    const cleanedUp = Promise.race([Promise.allSettled([running]), pause(cleanupMs)]);
    // In a later turn: the command says first why it ends.
    const exit = (): void => void setImmediate(() => process.exit(128 + constants.signals[signal]));
    void Promise.allSettled([found.stop(), cleanedUp]).finally(exit);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
  found = await findDatabase(config, besideSite, stopping.signal);
  try {
    running = action({ ...found, stopped: stopping.signal });
    return await running;
  } finally {
    await found.stop();
  }
}

interface UsedDatabase {
  connection: ConnectionSettings;
  seal: () => Promise<void>;
}

interface FoundDatabase extends UsedDatabase {
  stop: () => Promise<void>;
}

async function findDatabase(config: Config, besideSite: boolean, stopped: AbortSignal): Promise<FoundDatabase> {
  const nothing = (): Promise<void> => Promise.resolve();
  const configured = configuredConnection(config);
  // A command has long transactions and locks of sessions, and no need for a pooler.
  if (configured !== undefined) return { connection: directConnection(configured), seal: nothing, stop: nothing };
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: config.files.dataDir, say, stopped });
    return { connection: postgres.connection, seal: () => postgres.seal(), stop: () => postgres.stop() };
  } catch (error) {
    if (!besideSite || !(error instanceof DataFolderInUseError) || error.connection === undefined) throw error;
    say("The site is running: using its database.");
    return { connection: error.connection, seal: nothing, stop: nothing };
  }
}
