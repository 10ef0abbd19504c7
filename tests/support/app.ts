import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import pg from "pg";
import { inject } from "vitest";
import { buildApp } from "#server/app";
import { readConfig, type Environment } from "#server/config";
import type { Dependencies } from "#server/dependencies";
import { createAdmin } from "#server/features/auth/service";
import { openChains } from "#server/platform/chain/open";
import { isBackupRunning } from "#server/platform/backup/is-running";
import type { Clock } from "#server/platform/clock";
import { openDatabase } from "#server/platform/db/database";
import { SITE_ROLE } from "#server/platform/db/embedded/cluster/access-files";
import { openCaptionReader } from "#server/platform/captions/caption-reader";
import { openPictureReader } from "#server/platform/pictures/picture-reader";
import { noRateLimits, postgresRateLimits } from "#server/platform/http/rate-limit";
import { databaseCheck } from "#server/platform/http/readiness";
import { chooseMailboxToken } from "#server/platform/mail/mailbox/mailbox-token";
import { startOutbox } from "#server/platform/mail/sender";
import { listenForChanges } from "#server/platform/realtime/changes";
import { loadSecrets } from "#server/platform/secrets";
import type { ReadDisk } from "#server/platform/storage/disk/disk-space";
import { openObjectStore } from "#server/platform/storage/open-store";
import { SignedLinks } from "#server/platform/storage/downloads/signed-links";

import { passwordsInProcess } from "./setup/passwords.ts";

export const adminEmail = "admin@example.com";
export const adminPassword = "correct horse battery";

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  advance(seconds: number): void;
  /** Sets the wall clock, as an administrator or NTP would; steady time does not move. */
  set(seconds: number): void;
}

/** Returns a clock that starts at the real time, unless told, so that the database's own times are close to it. */
export function testClock(start = Date.now()): TestClock {
  let passed = 0;
  let shift = 0;
  return {
    now: () => new Date(start + passed + shift),
    steady: () => new Date(start + passed),
    advance(seconds) {
      passed += seconds * 1000;
    },
    set(seconds) {
      shift += seconds * 1000;
    },
  };
}

/** A picture may take long on a busy machine; what the usual limits do is tested with the pool. */
const patience = { maxWaitMs: 300_000, maxJobMs: 300_000 };

let readers: Pick<Dependencies, "pictures" | "captions"> | undefined;

/** The same for all apps of a process, with which they end: each starts a process of its own. */
const fileReaders = () =>
  (readers ??= {
    pictures: openPictureReader(inject("pictureWorker"), patience),
    captions: openCaptionReader(inject("captionWorker"), patience),
  });

export interface TestApp {
  url: string;
  /** The app itself, for requests without a socket. */
  server: FastifyInstance;
  deps: Dependencies;
  clock: TestClock;
  /** Plain SQL on the app's database. */
  sql: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  environment?: Environment;
  parts?: Partial<Dependencies>;
  /** Where `dist/web` is looked for, if not in this project. */
  projectDir?: string;
  /** How full the disk is; by default as full as this machine's. */
  readDisk?: ReadDisk;
  /** Start a second process's worth of app on the same database and folder. It has a clock of its own, which starts at this one's time. */
  beside?: TestApp;
}

/** The whole server on a free port, over a database and a data folder of its own. Rate limits are off unless asked for. */
export async function startApp(options: TestAppOptions = {}): Promise<TestApp> {
  const postgres = inject("postgres");
  const database = options.beside?.deps.db.$client.options.database ?? (await copyTemplate(postgres));
  const dataDir = options.beside?.deps.config.files.dataDir ?? (await mkdtemp(join(tmpdir(), "pipwright-app-")));
  const config = readConfig(
    {
      PORT: "0",
      HOST: "127.0.0.1",
      DATA_DIR: dataDir,
      ADMIN_EMAIL: adminEmail,
      ADMIN_PASSWORD: adminPassword,
      RATE_LIMITS: "off",
      CHECK_REPLIES: "on",
      LOG_LEVEL: "silent",
      ...options.environment,
    },
    options.projectDir,
  );
  const ignore = (): void => {};
  const secrets = await loadSecrets(dataDir, () => Promise.resolve(false));
  const prepares = config.database.preparesStatements !== false;
  const connection = { ...postgres, user: SITE_ROLE, database, max: 10, prepares };
  const db = openDatabase(connection, ignore);
  const changes = await listenForChanges(connection, ignore);
  const clock = testClock(options.beside?.clock.now().getTime());
  const outbox = startOutbox({ config, secrets, clock, db, changes, log: ignore });
  const objects = await openObjectStore(config, clock, () => isBackupRunning(db), options.readDisk);
  const limits = config.server.rateLimits ? postgresRateLimits(db.$client) : noRateLimits;
  const deps: Dependencies = {
    config,
    secrets,
    clock,
    db,
    limits,
    outbox,
    mailboxToken: chooseMailboxToken(config),
    changes,
    prices: { usdPrice: (coin) => Promise.resolve(coin === "bitcoin" ? "64250.5" : "3120.25") },
    chains: openChains(config, limits, clock),
    passwords: passwordsInProcess,
    ...fileReaders(),
    objects,
    links: new SignedLinks(secrets.linkKey, clock),
    readiness: [databaseCheck(db), ...objects.readiness],
    ...options.parts,
  };
  await createAdmin(deps);
  const app = buildApp(deps);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return {
    url,
    server: app,
    deps,
    clock,
    sql: async (text, values) => (await db.$client.query(text, values)).rows,
    async close() {
      // A stop waits a second for the next request of a connection that a client keeps.
      app.server.closeIdleConnections();
      await app.close();
      await options.parts?.pictures?.close();
      await outbox.stop();
      await changes.close();
      await db.$client.end();
      if (options.beside) return;
      await rm(dataDir, { recursive: true, force: true });
      await dropDatabase(postgres, database);
    },
  };
}

/** Returns the newest entry of an app's audit log. */
export async function lastAudit({ sql }: TestApp): Promise<any> {
  return (await sql("select * from audit_log order by id desc limit 1"))[0];
}

async function copyTemplate(postgres: pg.ClientConfig): Promise<string> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await asSuperuser(postgres, `create database ${name} template template_migrated strategy file_copy`);
  return name;
}

function dropDatabase(postgres: pg.ClientConfig, name: string): Promise<void> {
  return asSuperuser(postgres, `drop database if exists ${name} with (force)`);
}

async function asSuperuser(postgres: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client({ ...postgres, database: "postgres" });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
