// `npm run seed`: adds the sample course to the configured database, also while the site runs.
import { join } from "node:path";
import { withDatabase } from "./command-database.ts";
import { runCommand, say } from "./run-command.ts";
import { processEnvironment, readConfig, type Config } from "../config.ts";
import { videoBucket } from "../features/videos/bucket.ts";
import { systemClock } from "../platform/clock.ts";
import type { Database } from "../platform/db/database.ts";
import { openObjectStore } from "../platform/storage/open-store.ts";
import { addSampleCourse, type SampleCourseResult } from "../sample-course.ts";
import { operatorCommand } from "../platform/operator-command.ts";
import { StartError } from "../start-faults.ts";

async function seed(): Promise<void> {
  const config = readConfig(processEnvironment());
  if (config.operation.production)
    throw new StartError(
      `The sample course is for trying out: ${operatorCommand("seed")} is refused where NODE_ENV is production.`,
    );
  report(await withDatabase(config, (db) => addTo(db, config)));
}

async function addTo(db: Database, config: Config): Promise<SampleCourseResult> {
  const objects = await openObjectStore(config, systemClock);
  const samplesDir = join(config.projectDir, "samples");
  return addSampleCourse({ db, clock: systemClock, objects, bucket: videoBucket(config), samplesDir });
}

function report({ added, alreadyThere, liveSessionsAdded, walletSet }: SampleCourseResult): void {
  if (added > 0) say(`Added ${added} sample lessons with their films.`);
  if (alreadyThere > 0) say(`${alreadyThere} sample lessons were there already.`);
  if (liveSessionsAdded > 0) say(`Added ${liveSessionsAdded} weekly live sessions.`);
  say(
    walletSet
      ? "Set sample wallet addresses; the screens mark them as samples until you save your own under Settings."
      : "Left the wallet settings as they are.",
  );
}

runCommand(seed);
