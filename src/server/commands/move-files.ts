// `npm run move-files`: the files of DATA_DIR into the bucket of S3_*, or with `back` from there to DATA_DIR (FILE-20).
import { join } from "node:path";
import { asc, count, eq, gt, sum } from "drizzle-orm";
import { ProductError } from "#domain/errors/messages";
import { withConnection } from "./command-database.ts";
import { runCommand, say } from "./run-command.ts";
import { processEnvironment, readConfig, type Config } from "../config.ts";
import { systemClock } from "../platform/clock.ts";
import { openDatabase, type Database } from "../platform/db/database.ts";
import { lockKeys, tryLock } from "../platform/db/locks.ts";
import { films, screenshotFingerprints, storedObjects } from "../platform/db/schema.ts";
import { allowIdle, transaction } from "../platform/db/transaction.ts";
import { errorLine } from "../platform/logging/describe-error.ts";
import { operatorCommand } from "../platform/operator-command.ts";
import { readSecrets } from "../platform/secrets.ts";
import { openDiskStore } from "../platform/storage/disk/disk-store.ts";
import { openCheckedFiles } from "../platform/storage/move/checked-files.ts";
import type { FileRecord } from "../platform/storage/move/copy-object.ts";
import { moveFiles, type FileFault, type FileMove, type MoveProgress } from "../platform/storage/move/move-files.ts";
import type { ObjectStore } from "../platform/storage/object-store.ts";
import { openObjectStore } from "../platform/storage/open-store.ts";
import { storageProblem } from "../platform/storage/outage.ts";
import { findObject } from "../platform/storage/queries.ts";
import { refuseFileAsFolder, StartError, storeFaultLine } from "../start-faults.ts";

const progressEveryMs = 5000;

/** Rows that are read at once. */
const batchSize = 500;

async function run(direction: string | undefined): Promise<void> {
  if (direction !== undefined && direction !== "back")
    throw new StartError(`Use ${operatorCommand("move-files")}, or ${operatorCommand("move-files", "back")}.`);
  const config = readConfig(processEnvironment());
  await refuseFileAsFolder(config.files.dataDir);
  const { s3 } = config;
  if (s3 === undefined)
    throw new StartError("Set S3_ENDPOINT, S3_REGION, S3_BUCKET and the keys of the bucket (see .env.example).");
  await readSecrets(config.files.dataDir);
  const disk = await openDiskStore(config.files.dataDir, systemClock);
  const bucket = await openObjectStore(config, systemClock);
  await requireReady(bucket, s3.bucket);
  const target = direction === "back" ? "disk" : `${s3.endpoint} ${s3.bucket}`;
  const stores = direction === "back" ? { from: bucket, to: disk } : { from: disk, to: bucket };
  await withConnection(config, async ({ connection }) => {
    const db = openDatabase(connection, (error) => say(`Database connection lost: ${errorLine(error)}`));
    try {
      await alone(db, () => move(db, config, target, stores));
      await sayWhatNow(db, direction === "back" ? "without" : "with");
    } finally {
      await db.$client.end();
    }
  });
}

async function requireReady(bucket: ObjectStore, name: string): Promise<void> {
  const fault = await storageProblem(bucket);
  if (fault !== undefined) throw new StartError(`${faultLines[fault] ?? fault} (S3_BUCKET=${name}).`);
}

const faultLines: Record<string, string> = {
  missing: "The store has no such bucket",
  refused: "The store refuses the key of the bucket",
  unreachable: "The store of S3_ENDPOINT cannot be reached",
};

/** Runs an action while no other process moves files of this database. Throws `StartError` where one does. */
function alone(db: Database, action: () => Promise<void>): Promise<void> {
  return transaction(db, async (tx) => {
    await allowIdle(tx, 0);
    if (!(await tryLock(tx, lockKeys.fileMove))) throw new StartError("Files are being moved already.");
    await action();
  });
}

async function move(
  db: Database,
  { files: { dataDir } }: Config,
  target: string,
  stores: Pick<FileMove, "from" | "to">,
): Promise<void> {
  const [all] = await db.select({ files: count(), bytes: sum(storedObjects.size).mapWith(Number) }).from(storedObjects);
  const total = all ?? { files: 0, bytes: 0 };
  const progress: MoveProgress = { moved: 0, present: 0, bytes: 0, faults: [] };
  const soFar = (): string => {
    return `${progress.moved + progress.present} of ${total.files} files, ${inGb(progress.bytes)} of ${inGb(total.bytes)} GB`;
  };
  const timer = setInterval(() => say(soFar()), progressEveryMs);
  try {
    const checked = await openCheckedFiles(join(dataDir, "moved-files.txt"), target);
    const isStored = async (id: string): Promise<boolean> => (await findObject(db, id)) !== undefined;
    await moveFiles({ ...stores, files: filesOf(db), isStored, checked, progress });
  } catch (error) {
    throw storeError(error, soFar());
  } finally {
    clearInterval(timer);
  }
  for (const fault of progress.faults) console.error(lineOf(fault));
  say(`Moved ${progress.moved}, found ${progress.present} there already: ${soFar()}.`);
  if (progress.faults.length > 0)
    throw new StartError(`Not moved: ${progress.faults.length}, named above. Mend them and run this again.`);
}

const inGb = (bytes: number): string => (bytes / 1e9).toFixed(2);

/** Iterates over the files that the database names. */
async function* filesOf(db: Database): AsyncGenerator<FileRecord> {
  const { id, size } = storedObjects;
  for (let last: string | undefined; ;) {
    const rows = await db
      .select({ id, size, ofFilm: films.sha256, ofScreenshot: screenshotFingerprints.sha256 })
      .from(storedObjects)
      .leftJoin(films, eq(films.object_id, id))
      .leftJoin(screenshotFingerprints, eq(screenshotFingerprints.object_id, id))
      .where(last === undefined ? undefined : gt(id, last))
      .orderBy(asc(id))
      .limit(batchSize);
    for (const row of rows) yield { id: row.id, size: row.size, sha256: row.ofFilm ?? row.ofScreenshot };
    last = rows.at(-1)?.id;
    if (rows.length < batchSize) return;
  }
}

/** Returns the error of a store as one line for the operator; any other as it is. */
function storeError(error: unknown, soFar: string): unknown {
  if (!(error instanceof ProductError)) return error;
  return new StartError(`${storeFaultLine(error)}. Moved so far: ${soFar}. Run this again: it goes on from there.`);
}

function lineOf({ id, kind }: FileFault): string {
  switch (kind) {
    case "missing":
      return `A stored file is missing: ${id}`;
    case "damaged":
      return `A stored file has other bytes than the database says, or cannot be read, and was not moved: ${id}`;
    case "different":
      return `Another file of this name is there already, and was left alone: ${id}`;
  }
}

/** What arrives at a site that runs goes to the store that it was started with. */
async function sayWhatNow(db: Database, settings: "with" | "without"): Promise<void> {
  const start = `start the site ${settings} the S3_ settings`;
  const isStopped = await tryLock(db, lockKeys.runningSite);
  if (isStopped) return say(`Now ${start}. The files at the old place are still there.`);
  say(`A site is running, and may have stored more meanwhile. Stop it, run this again, which is quick, and ${start}.`);
}

runCommand(run);
