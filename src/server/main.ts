import { join } from "node:path";
import { buildApp } from "./app.ts";
import { processEnvironment, readConfig, type Config } from "./config.ts";
import type { Dependencies } from "./dependencies.ts";
import { createAdmin } from "./features/auth/service.ts";
import { liveSessionJob } from "./features/live-sessions/service.ts";
import { chainJobs, flagJob, slipJob } from "./features/payment-requests/service.ts";
import { addressReuseJobs } from "./features/quotes/service.ts";
import { newsMailingJob } from "./features/news/service.ts";
import { totalsJob } from "./features/totals/service.ts";
import { filmJob } from "./features/videos/service.ts";
import { priceRefreshJob } from "./features/wallet-settings/service.ts";
import { startWebhooks } from "./features/webhooks/service.ts";
import { openCaptionReader } from "./platform/captions/caption-reader.ts";
import { openChains } from "./platform/chain/open.ts";
import { isBackupRunning } from "./platform/backup/is-running.ts";
import { backupJob } from "./platform/backup/schedule/job.ts";
import { backupProcess } from "./platform/backup/schedule/process.ts";
import { systemClock } from "./platform/clock.ts";
import { checkSessions } from "./platform/db/check-sessions.ts";
import { configuredConnection, directConnection, type ConnectionSettings } from "./platform/db/connections.ts";
import { openDatabase } from "./platform/db/database.ts";
import { hasAccounts } from "./platform/db/database-history.ts";
import { startEmbeddedPostgres } from "./platform/db/embedded/supervisor.ts";
import { migrate } from "./platform/db/migrate.ts";
import { openFilmReader } from "./platform/films/film-reader.ts";
import { originWithoutRequest } from "./platform/http/origin.ts";
import { noRateLimits, postgresRateLimits } from "./platform/http/rate-limit.ts";
import { databaseCheck, feedCheck } from "./platform/http/readiness.ts";
import { errorWriter } from "./platform/logging/logger.ts";
import { chooseMailboxToken } from "./platform/mail/mailbox/mailbox-token.ts";
import { startOutbox } from "./platform/mail/sender.ts";
import { whereMailsGo } from "./platform/mail/where-mails-go.ts";
import { collectWhenIdle } from "./platform/memory/idle-collection.ts";
import { openPasswordChecker } from "./platform/passwords/password-checker.ts";
import { openPictureReader } from "./platform/pictures/picture-reader.ts";
import { openSlipReader } from "./platform/pictures/slip-reader.ts";
import { startRetention } from "./platform/retention/job.ts";
import { httpPriceSource } from "./platform/prices/prices.ts";
import { listenForChanges } from "./platform/realtime/changes.ts";
import { loadSecrets, refuseOtherSecrets } from "./platform/secrets.ts";
import { SignedLinks } from "./platform/storage/downloads/signed-links.ts";
import { openObjectStore } from "./platform/storage/open-store.ts";
import { removals } from "./removals.ts";
import { Shutdown } from "./shutdown.ts";
import { explainStartFault, listenFault, refuseFileAsFolder, refuseOtherDatabase } from "./start-faults.ts";
import { ignoreOutputErrors, stopOnRenewedSecrets, stopOnSignals, stopOnUncaughtErrors } from "./stop-causes.ts";

const say = (line: string): void => console.log(line);

async function main(): Promise<void> {
  const shutdown = new Shutdown();
  ignoreOutputErrors();
  stopOnSignals(shutdown);
  stopOnUncaughtErrors(shutdown);
  try {
    await serve(readConfig(processEnvironment()), shutdown);
    await shutdown.untilStopped();
  } catch (error) {
    if (!shutdown.stopped.aborted) shutdown.request({ code: 1, lines: explainStartFault(error) });
  }
  process.exit(await shutdown.stopParts());
}

/** Registers each part for the stop as it starts, so that the database, started first, is stopped last. */
async function serve(config: Config, shutdown: Shutdown): Promise<void> {
  await refuseFileAsFolder(config.files.dataDir);
  const { connection, seal } = await findDatabase(config, shutdown);
  await shutdown.unlessStopped(migrate(directConnection(connection), join(config.projectDir, "migrations")));
  await shutdown.unlessStopped(seal());
  const deps = await shutdown.unlessStopped(openParts(config, connection, shutdown));
  const admin = printNewAdmin(deps);
  shutdown.add("admin", () => admin.catch(() => {}));
  const isNewAdmin = await shutdown.unlessStopped(admin);

  const app = buildApp(deps);
  shutdown.add("requests", () => app.close());
  await app.listen({ port: config.server.port, host: config.server.host }).catch((error: unknown) => {
    throw listenFault(error, config.server);
  });
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : config.server.port;
  const origin = originWithoutRequest({ ...config.server, port });
  say(`${config.site.name} is ready: ${origin}`);
  if (!isNewAdmin) say(`Admin: ${config.admin.email}`);
  say(`Mails: ${describeMails(deps, port)}`);
  collectWhenIdle();
}

/** Prints a new password as soon as it is stored: a stop, or a port in use, would end this start before a later line. Returns whether it did. */
async function printNewAdmin(deps: Dependencies): Promise<boolean> {
  const { password } = await createAdmin(deps);
  if (password === undefined) return false;
  say(`Admin: ${deps.config.admin.email}  password: ${password}  (shown only this once)`);
  return true;
}

async function openParts(config: Config, connection: ConnectionSettings, shutdown: Shutdown): Promise<Dependencies> {
  const writeLine = (line: string): void => {
    // While stopping, the database may close the last connections first, which does no harm.
    if (!shutdown.stopped.aborted) console.error(line);
  };
  const writeError = errorWriter(writeLine);
  const db = openDatabase(connection, (error) => writeError("Database connection lost", error));
  shutdown.add("queries", () => db.$client.end());
  const changes = await listenForChanges(directConnection(connection), writeLine, {
    onSilence: () => db.$client.dropAll(),
    onSilenceOver: () => db.$client.dropUnanswered(),
  });
  shutdown.add("change feed", () => changes.close());
  const { dataDir } = config.files;
  // After the feed has the lock of a running site: from then on nobody renews the secrets.
  const secrets = await loadSecrets(dataDir, () => hasAccounts(db));
  const clock = systemClock;
  const objects = await openObjectStore(config, clock, () => isBackupRunning(db));
  // Before the secrets become those of a database that is another's.
  await refuseOtherDatabase(db, objects);
  await refuseOtherSecrets(db, dataDir, secrets);
  const comparing = stopOnRenewedSecrets(shutdown, { db, dataDir, secrets, changes, onError: writeError }).start();
  shutdown.add("secrets", () => comparing.stop());
  const outbox = startOutbox({ config, secrets, clock, db, changes });
  shutdown.add("mails", () => outbox.stop());
  const news = newsMailingJob({ config, secrets, clock, db, outbox, changes, onError: writeError }).start();
  shutdown.add("news", () => news.stop());
  const webhooks = startWebhooks({ config, clock, db, changes, onError: writeError });
  shutdown.add("webhooks", async () => webhooks?.stop());
  const retention = startRetention({ db, clock, removals, onError: writeError });
  shutdown.add("retention", () => retention.stop());
  const totals = totalsJob({ db, changes, onError: writeError }).start();
  shutdown.add("totals", () => totals.stop());
  const films = openFilmReader(join(import.meta.dirname, "film-worker.js"));
  const preparing = filmJob({ db, clock, objects, films, changes, onError: writeError }).start();
  shutdown.add("films", () => Promise.all([preparing.stop(), films.close()]));
  const liveSessions = liveSessionJob({ config, secrets, db, clock, outbox, changes, onError: writeError }).start();
  shutdown.add("live sessions", () => liveSessions.stop());
  const prices = httpPriceSource(config.payments.priceApiUrl);
  const refreshing = priceRefreshJob({ config, db, clock, prices, outbox, changes, onError: writeError }).start();
  shutdown.add("prices", () => refreshing.stop());
  const limits = config.server.rateLimits ? postgresRateLimits(db.$client) : noRateLimits;
  const chains = openChains(config, limits, clock);
  const chainParts = { db, clock, chains, changes, onError: writeError };
  const lookups = [...chainJobs(chainParts), ...addressReuseJobs(chainParts)].map((job) => job.start());
  shutdown.add("lookups", () => Promise.all(lookups.map((job) => job.stop())));
  const flagging = flagJob(chainParts).start();
  shutdown.add("flags", () => flagging.stop());
  const pictures = openPictureReader(join(import.meta.dirname, "picture-worker.js"));
  shutdown.add("pictures", () => pictures.close());
  const slips = openSlipReader(join(import.meta.dirname, "picture-worker.js"));
  const readingSlips = slipJob({ db, clock, objects, slips, changes, onError: writeError }).start();
  shutdown.add("slips", () => Promise.all([readingSlips.stop(), slips.close()]));
  const captions = openCaptionReader(join(import.meta.dirname, "caption-worker.js"));
  shutdown.add("captions", () => captions.close());
  const write = backupProcess(join(import.meta.dirname, "backup.js"));
  const backups = backupJob({ config, db, clock, outbox, write, changes, onError: writeError }).start();
  shutdown.add("backups", () => backups.stop());
  const passwords = openPasswordChecker(join(import.meta.dirname, "password-worker.js"));
  shutdown.add("passwords", () => passwords.close());
  return {
    config,
    secrets,
    clock,
    db,
    limits,
    outbox,
    mailboxToken: chooseMailboxToken(config),
    changes,
    prices,
    chains,
    passwords,
    pictures,
    captions,
    objects,
    links: new SignedLinks(secrets.linkKey, clock),
    readiness: [databaseCheck(db), feedCheck(changes), ...objects.readiness],
  };
}

/** Returns where the mails go, for the operator. */
function describeMails(deps: Dependencies, port: number): string {
  const mailbox = `http://localhost:${port}/mailbox`;
  switch (whereMailsGo(deps)) {
    case "smtp":
      return "by SMTP";
    case "nowhere":
      return "nowhere. Students get no codes until you set SMTP_URL";
    case "console":
      return "this console alone, since PUBLIC_URL is not this machine";
    case "mailbox":
      // The operator has that token already, and the log must not contain it.
      if (deps.config.mail.mailboxToken !== undefined) return `this console and ${mailbox}, which MAILBOX_TOKEN opens`;
      return `this console and ${mailbox}?token=${deps.mailboxToken}`;
  }
}

async function findDatabase(
  config: Config,
  shutdown: Shutdown,
): Promise<{ connection: ConnectionSettings; seal: () => Promise<void> }> {
  const connection = configuredConnection(config);
  if (connection !== undefined) {
    await shutdown.unlessStopped(checkSessions(connection));
    return { connection, seal: () => Promise.resolve() };
  }
  const postgres = await startEmbeddedPostgres({
    dataDir: config.files.dataDir,
    say,
    stopped: shutdown.stopped,
    onLost: (error) => shutdown.request({ code: 1, lines: [error.message] }),
  });
  shutdown.add("database", (withinMs) => postgres.stop(withinMs));
  return postgres;
}

await main();
