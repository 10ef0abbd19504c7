import { join } from "node:path";
import type { Config } from "../config.ts";
import { configuredConnection, directConnection, type ConnectionSettings } from "../platform/db/connections.ts";
import { openDatabase, type Database } from "../platform/db/database.ts";
import { DataFolderInUseError, startEmbeddedPostgres } from "../platform/db/embedded/supervisor.ts";
import { migrate } from "../platform/db/migrate.ts";
import { errorLine } from "../platform/logging/describe-error.ts";
import { say } from "./run-command.ts";

/**
 * Runs a command's action on the site's migrated database: DATABASE_DIRECT_URL or DATABASE_URL, or the embedded one, which is started for it unless the site
 * runs already.
 */
export function withDatabase<Result>(config: Config, action: (db: Database) => Promise<Result>): Promise<Result> {
  return withConnection(config, async ({ connection, seal }) => {
    await migrate(connection, join(config.projectDir, "migrations"));
    await seal();
    const db = openDatabase(connection, (error) => say(`Database connection lost: ${errorLine(error)}`));
    try {
      return await action(db);
    } finally {
      await db.$client.end();
    }
  });
}

/** Runs an action on the site's database as it is, found as `withDatabase` finds it. */
export async function withConnection<Result>(
  config: Config,
  action: (found: Pick<FoundDatabase, "connection" | "seal">) => Promise<Result>,
): Promise<Result> {
  const found = await findDatabase(config);
  try {
    return await action(found);
  } finally {
    await found.stop();
  }
}

interface FoundDatabase {
  connection: ConnectionSettings;
  seal: () => Promise<void>;
  stop: () => Promise<void>;
}

async function findDatabase(config: Config): Promise<FoundDatabase> {
  const nothing = (): Promise<void> => Promise.resolve();
  const configured = configuredConnection(config);
  // A command has long transactions and locks of sessions, and no need for a pooler.
  if (configured !== undefined) return { connection: directConnection(configured), seal: nothing, stop: nothing };
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: config.files.dataDir, say });
    return { connection: postgres.connection, seal: () => postgres.seal(), stop: () => postgres.stop() };
  } catch (error) {
    if (!(error instanceof DataFolderInUseError) || error.connection === undefined) throw error;
    say("The site is running: using its database.");
    return { connection: error.connection, seal: nothing, stop: nothing };
  }
}
