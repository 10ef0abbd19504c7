import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { prepareSite } from "../../support/sites/site-process.ts";
import { isSoon, pause } from "../client.ts";
import { hashOf, Promises } from "../promises.ts";
import { checkRows } from "./checks/rows.ts";
import { finding, type Finding } from "./checks/finding.ts";
import { signal } from "./fault-kind.ts";
import type { Lanes } from "./lanes.ts";
import type { TortureTraffic } from "./traffic.ts";
import type { World } from "./world.ts";

const projectDir = join(import.meta.dirname, "../../..");

/** MD5 of all rows of each table. */
type Checksums = Record<string, string>;

/** What a restoration leaves empty on purpose (BACKUP-5). */
const leftOut = ["backup_runs"];

/** A backup that was made and restored. */
export interface Restored {
  /** Compares it with what it was made of; to be called once the faults are over. */
  compare(): Promise<Finding[]>;
}

/**
 * Makes a backup while the site works and restores it into an empty folder and an empty database. Compared are every row with the state at
 * the moment of the backup, every file with the site's, and, by asking the restored site, what was acknowledged before that moment.
 */
export async function backUpAndRestore(world: World, traffic: TortureTraffic, lanes: Lanes): Promise<Restored> {
  const file = join(world.folder, "torture.tar");
  const dataDir = join(world.folder, "restored");
  const database = "restored";
  // Files are put on the disk, wherever the site has them.
  const target = { DATABASE_URL: world.postgres.urlOf(database), DATA_DIR: dataDir };
  const { acknowledged } = world.journal;
  const release = await lanes.hold();
  let moment: Moment;
  try {
    if (!(await world.isReady(30_000))) throw new Error("The site was not ready for a backup.");
    moment = await backUpAtLast(world, traffic, file);
    await mkdir(dataDir);
    await world.postgres.sql(`create database ${database} owner ${new URL(world.postgres.url).username}`);
    await run("restore", file, target).ended;
    await rm(file);
  } finally {
    release();
  }
  const { before, promises } = moment;
  const isWorking = world.journal.acknowledged > acknowledged;
  return {
    async compare() {
      const read = async (statement: string) => (await world.postgres.sql(statement, database)).rows;
      const compared = [await compareRows(world, database, before), await compareFiles(world, database, dataDir)];
      const rows = (await checkRows(read, promises.students)).flatMap(({ lost }) => lost);
      const lost = [...rows, ...(await askRestored(target, promises))];
      if (!isWorking) lost.push("the site stood still while it was backed up");
      return [...compared, { promise: "restored: acknowledged before it", count: promises.count(), lost }];
    },
  };
}

interface Moment {
  before: Checksums;
  promises: Promises;
}

/** Makes a backup. One that fails, as while the bucket is away, leaves no file behind and is made again. */
async function backUpAtLast(world: World, traffic: TortureTraffic, file: string): Promise<Moment> {
  for (let triesLeft = 5; ; triesLeft--) {
    try {
      return await backUp(world, traffic, file);
    } catch (error) {
      if (triesLeft === 0) throw error;
      await pause(1000);
    }
  }
}

/** Makes a backup and returns what the site was at its moment, at which both processes are held still. */
async function backUp(world: World, traffic: TortureTraffic, file: string): Promise<Moment> {
  const toAll = (name: NodeJS.Signals) => world.parts.forEach(({ site }) => signal(site.pid(), name));
  const promises = new Promises();
  toAll("SIGSTOP");
  try {
    await untilNoStatementRuns(world);
    promises.students.push(...structuredClone(traffic.promises.students));
    const before = await checksums(world);
    const environment = { ...world.services.environment, DATABASE_URL: world.postgres.url, DATA_DIR: world.dataDir };
    const backup = run("backup", file, environment);
    await untilSnapshot(world, backup);
    toAll("SIGCONT");
    await backup.ended;
    return { before, promises };
  } finally {
    toAll("SIGCONT");
  }
}

interface Run {
  /** Rejects when the command fails. */
  ended: Promise<void>;
  hasEnded(): boolean;
}

/** Runs a command of the product, as `npm run` does. */
function run(name: "backup" | "restore", file: string, environment: Record<string, string>): Run {
  const { NODE_OPTIONS: _, ...own } = process.env;
  const env = { ...own, NODE_ENV: "test", ...environment };
  const child = spawn(process.execPath, [join(projectDir, `scripts/${name}.mjs`), file], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => lines.push(String(data)));
  const ended = once(child, "exit").then(([code]) => {
    if (code !== 0) throw new Error(`npm run ${name} ended with ${code}: ${lines.join("")}`);
  });
  ended.catch(() => {});
  return { ended, hasEnded: () => child.exitCode !== null };
}

async function untilNoStatementRuns({ postgres }: World): Promise<void> {
  const isQuiet = async (): Promise<boolean> => {
    const { rows } = await postgres.sql(`select from pg_stat_activity where backend_type = 'client backend'
      and pid <> pg_backend_pid() and state = 'active'`);
    return rows.length === 0;
  };
  if (!(await isSoon(async () => (await isQuiet()) && (await pause(100), await isQuiet()), 10_000)))
    throw new Error("Statements still run though the site stands still.");
}

/** Waits until the backup has its snapshot: of all connections, only it and the standing site's have one. */
async function untilSnapshot({ postgres }: World, backup: Run): Promise<void> {
  await isSoon(async () => {
    if (backup.hasEnded()) return true;
    const { rows } = await postgres.sql(`select from pg_stat_activity where backend_xmin is not null and pid <> pg_backend_pid()
      and backend_start > now() - interval '10 seconds' and xact_start is not null and query ~ '^copy |stored_objects|schema_migrations'`);
    return rows.length > 0;
  }, 20_000);
}

async function checksums({ postgres }: World, database?: string): Promise<Checksums> {
  const { rows } = await postgres.sql(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and c.relpersistence = 'p' order by 1`,
    database,
  );
  const sums: Checksums = {};
  for (const { name } of rows) {
    const all = await postgres.sql(
      `select count(*) || ' rows, ' || md5(coalesce(string_agg(md5(row::text), '' order by md5(row::text)), '')) as sum from "${name}" as row`,
      database,
    );
    sums[name] = all.rows[0].sum;
  }
  return sums;
}

async function compareRows(world: World, database: string, before: Checksums): Promise<Finding> {
  const rows = finding("restored: rows, table by table");
  const restored = await checksums(world, database);
  for (const name of new Set([...Object.keys(before), ...Object.keys(restored)])) {
    if (leftOut.includes(name)) continue;
    const isEqual = before[name] === restored[name];
    rows.expect(isEqual, `table ${name}: ${restored[name]} instead of ${before[name]}`);
    rows.count += Number.parseInt(before[name] ?? "0", 10) - 1;
  }
  return rows;
}

async function compareFiles(world: World, database: string, dataDir: string): Promise<Finding> {
  const files = finding("restored: files, by SHA-256");
  const folder = join(dataDir, "objects");
  const restored = await readdir(folder);
  const { rows } = await world.postgres.sql("select id, size from stored_objects", database);
  for (const { id } of rows) {
    const original = await world.storedBytes(id);
    files.expect(original !== undefined && hashOf(original) === (await hashOfFile(join(folder, id))), `file ${id}`);
  }
  if (restored.length !== rows.length) files.lost.push(`${restored.length} files of ${rows.length} rows`);
  return files;
}

/** Starts the restored site and asks it for everything that was acknowledged. */
async function askRestored(environment: Record<string, string>, promises: Promises): Promise<string[]> {
  const site = await prepareSite(environment);
  await site.start();
  try {
    for (const student of promises.students) student.mails = [];
    return await promises.missing(site.url, () => Promise.resolve([]));
  } finally {
    await site.end();
  }
}

/** SHA-256 of a file; empty where there is none. */
const hashOfFile = (path: string): Promise<string> => readFile(path).then(hashOf, () => "");
