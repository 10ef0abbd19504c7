import { join } from "node:path";
import { processEnvironment, readConfig, type Config } from "./config.ts";
import { videoBucket } from "./features/videos/bucket.ts";
import { systemClock } from "./platform/clock.ts";
import { openDatabase, type ConnectionSettings } from "./platform/db/database.ts";
import { DataFolderInUseError, startEmbeddedPostgres } from "./platform/db/embedded/supervisor.ts";
import { migrate } from "./platform/db/migrate.ts";
import { errorLine } from "./platform/logging/describe-error.ts";
import { openDiskStore } from "./platform/storage/disk/disk-store.ts";
import { addSampleCourse, type SampleCourseResult } from "./sample-course.ts";
import { explainStartFault, StartError } from "./start-faults.ts";

/** `npm run seed`: adds the sample course to the configured database, also while the site runs. */
const say = (line: string): void => console.log(line);

async function seed(): Promise<void> {
  const environment = processEnvironment();
  if (environment["NODE_ENV"] === "production") {
    throw new StartError("The sample course is for trying out: npm run seed is refused where NODE_ENV is production.");
  }
  const config = readConfig(environment);
  const { connection, stop } = await findDatabase(config);
  try {
    report(await addTo(connection, config));
  } finally {
    await stop();
  }
}

async function addTo(connection: ConnectionSettings, config: Config): Promise<SampleCourseResult> {
  await migrate(connection, join(config.projectDir, "migrations"));
  const objects = await openDiskStore(config.files.dataDir, systemClock);
  const db = openDatabase(connection, (error) => say(`Database connection lost: ${errorLine(error)}`));
  try {
    const samplesDir = join(config.projectDir, "samples");
    return await addSampleCourse({ db, clock: systemClock, objects, bucket: videoBucket(config), samplesDir });
  } finally {
    await db.$client.end();
  }
}

function report({ added, alreadyThere, walletSet }: SampleCourseResult): void {
  if (added > 0) say(`Added ${added} sample lessons with their films.`);
  if (alreadyThere > 0) say(`${alreadyThere} sample lessons were there already.`);
  say(
    walletSet
      ? "Set sample wallet addresses; the screens mark them as samples until you save your own under Settings."
      : "Left the wallet settings as they are.",
  );
}

interface FoundDatabase {
  connection: ConnectionSettings;
  stop: () => Promise<void>;
}

/** Connects to DATABASE_URL, or to the embedded database: the running one, else one started for the duration of the seed. */
async function findDatabase(config: Config): Promise<FoundDatabase> {
  const nothing = (): Promise<void> => Promise.resolve();
  if (config.database.url !== undefined) return { connection: { connectionString: config.database.url }, stop: nothing };
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: config.files.dataDir, say });
    return { connection: postgres.connection, stop: () => postgres.stop() };
  } catch (error) {
    if (!(error instanceof DataFolderInUseError)) throw error;
    say("The site is running: adding to its database.");
    return { connection: error.connection, stop: nothing };
  }
}

seed().catch((error: unknown) => {
  for (const line of explainStartFault(error)) console.error(line);
  process.exitCode = 1;
});
