import { BackgroundJob, type JobParts } from "./platform/background-job.ts";
import { monotonicMs } from "./platform/clock.ts";
import type { Database } from "./platform/db/database.ts";
import { isDatabaseUnavailable } from "./platform/db/unavailable.ts";
import { errorLine } from "./platform/logging/describe-error.ts";
import { refuseRenewedSecrets, SecretsError, type Secrets } from "./platform/secrets.ts";
import type { Shutdown } from "./shutdown.ts";

/** Milliseconds: Ctrl-C through npm arrives twice, from the terminal and from npm. */
const sameSignalMs = 1000;

/** Milliseconds until the secrets are compared again, where that failed after a gap. */
const compareMs = 60_000;

/** Stops on SIGINT, SIGTERM and SIGHUP, which a closed terminal sends. Another signal more than a second later ends the process at once. */
export function stopOnSignals(shutdown: Shutdown): void {
  let first: number | undefined;
  const onSignal = (): void => {
    const now = monotonicMs();
    if (first !== undefined && now - first > sameSignalMs) process.exit(1);
    if (first !== undefined) return;
    first = now;
    console.log("Stopping…");
    shutdown.request({ code: 0 });
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  process.on("SIGHUP", onSignal);
}

/**
 * Handles uncaught errors and rejections. A lost connection is only logged, since its owner reconnects. After any other error the
 * state of the process is unknown, so it stops with one line and code 1.
 */
export function stopOnUncaughtErrors(shutdown: Shutdown): void {
  process.on("uncaughtException", (error: unknown) => {
    if (isDatabaseUnavailable(error)) console.error(`Connection lost: ${errorLine(error)}`);
    else shutdown.request({ code: 1, lines: [`Stopping after an unexpected error: ${oneLine(error)}`] });
  });
}

interface SecretsParts extends JobParts {
  db: Database;
  dataDir: string;
  secrets: Pick<Secrets, "fingerprint">;
}

/**
 * Returns a job that stops the process with one line and code 1 once the database is used with other secrets: while it was cut off from it, its lock of a
 * running site did not keep `npm run secrets:renew` out.
 */
export function stopOnRenewedSecrets(
  shutdown: Shutdown,
  { db, dataDir, secrets, changes, onError }: SecretsParts,
): BackgroundJob {
  const run = (): Promise<void> =>
    refuseRenewedSecrets(db, dataDir, secrets).catch((error: unknown) => {
      if (!(error instanceof SecretsError)) throw error;
      shutdown.request({ code: 1, lines: [error.message] });
    });
  const tasks = [{ failure: "The secrets could not be compared with the database's", run }];
  return new BackgroundJob({ changes, onError, pollMs: compareMs, tasks });
}

/** Drops lines that cannot be written, to a full disk or a closed pipe, instead of stopping. */
export function ignoreOutputErrors(): void {
  process.stdout.on("error", () => {});
  process.stderr.on("error", () => {});
}

function oneLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The message of a failed query contains its values, so only the frames of the stack are printed.
  const frames = (error.stack ?? "").split("\n").filter((line) => line.startsWith("    at "));
  return [`${error.name}: ${errorLine(error)}`, ...frames.map((frame) => frame.trim())].join(" | ");
}
