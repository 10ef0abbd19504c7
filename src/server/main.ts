import { join } from "node:path";
import { buildApp } from "./app.ts";
import { processEnvironment, readConfig, type Config } from "./config.ts";
import { createAdmin } from "./features/auth/service.ts";
import { systemClock } from "./platform/clock.ts";
import { openDatabase, type ConnectionSettings } from "./platform/db/database.ts";
import { startEmbeddedPostgres } from "./platform/db/embedded/supervisor.ts";
import { migrate } from "./platform/db/migrate.ts";
import { noRateLimits, postgresRateLimits } from "./platform/http/rate-limit.ts";
import { databaseCheck } from "./platform/http/readiness.ts";
import { errorLine } from "./platform/logging/describe-error.ts";
import { errorWriter } from "./platform/logging/logger.ts";
import { startOutbox } from "./platform/mail/sender.ts";
import { openPictureReader } from "./platform/pictures/picture-reader.ts";
import { httpPriceSource } from "./platform/prices/prices.ts";
import { listenForChanges } from "./platform/realtime/changes.ts";
import { loadSecrets } from "./platform/secrets.ts";
import { openObjectStore } from "./platform/storage/local-store.ts";
import { explainStartFault, StartError } from "./start-faults.ts";

const say = (line: string): void => console.log(line);

async function start(): Promise<void> {
  const config = readConfig(processEnvironment());
  const stops: (() => Promise<unknown>)[] = [];
  const stopAll = async (): Promise<void> => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  };
  try {
    await serve(config, stops);
  } catch (error) {
    await stopAll();
    throw error;
  }
  stopOnSignals(stopAll);
}

/** Each part that must end is pushed as it starts, so that the database, first up, is stopped last. */
async function serve(config: Config, stops: (() => Promise<unknown>)[]): Promise<void> {
  const connection = await findDatabase(config, stops);
  const secrets = await loadSecrets(config.dataDir);
  await migrate(connection, join(config.projectDir, "migrations"));
  let isEnding = false;
  const writeError = errorWriter((line) => console.error(line));
  const db = openDatabase(connection, (error) => {
    // The database may end the last idle connections before the pool has, which is no loss.
    if (!isEnding) writeError("Database connection lost", error);
  });
  stops.push(() => {
    isEnding = true;
    return db.$client.end();
  });
  const changes = await listenForChanges(connection, (line) => console.error(line));
  stops.push(() => changes.close());
  const clock = systemClock;
  const outbox = startOutbox({ config, secrets, clock, db, changes });
  stops.push(() => outbox.stop());
  const limits = config.rateLimits ? postgresRateLimits(db.$client) : noRateLimits;
  const objects = await openObjectStore(config.dataDir, secrets.linkKey, clock);
  const prices = httpPriceSource(config.priceApiUrl);
  const pictures = openPictureReader(join(import.meta.dirname, "picture-worker.js"));
  stops.push(() => pictures.close());
  const readiness = [databaseCheck(db), ...objects.readiness];
  const deps = { config, secrets, clock, db, limits, outbox, changes, prices, pictures, objects, readiness };
  const admin = await createAdmin(deps);
  // At once: a port in use would end this start, and with it the only chance to tell.
  if (admin.password !== undefined) say(`Admin: ${config.adminEmail}  password: ${admin.password}  (shown only this once)`);

  const app = buildApp(deps);
  stops.push(() => app.close());
  try {
    await app.listen({ port: config.port, host: config.host });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw new StartError(`Port ${config.port} is in use. Stop the other program, or choose another: PORT=3001 npm start`);
  }
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : config.port;
  const origin = config.publicUrl ?? `http://localhost:${port}`;
  say(`${config.siteName} is ready: ${origin}`);
  if (admin.password === undefined) say(`Admin: ${config.adminEmail}`);
  say(`Mails: ${whereMailsGo(config, origin)}`);
}

function whereMailsGo(config: Config, origin: string): string {
  if (config.smtpUrl !== undefined) return "by SMTP";
  if (config.production) return "this console only. Students get no codes until you set SMTP_URL";
  return `${origin}/mailbox and this console`;
}

async function findDatabase(config: Config, stops: (() => Promise<unknown>)[]): Promise<ConnectionSettings> {
  if (config.databaseUrl !== undefined) return { connectionString: config.databaseUrl };
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, say });
  stops.push(() => postgres.stop());
  return postgres.connection;
}

/** Drains first, the database last; a second signal leaves at once. */
function stopOnSignals(stopAll: () => Promise<void>): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    say("Stopping…");
    stopAll().then(
      () => process.exit(0),
      (error: Error) => {
        console.error(errorLine(error));
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

start().catch((error: unknown) => {
  for (const line of explainStartFault(error)) console.error(line);
  process.exit(1);
});
