import { stat } from "node:fs/promises";
import { clockToleranceSeconds } from "#domain/clock-tolerance";
import { ProductError } from "#domain/errors/messages";
import type { Config } from "./config.ts";
import { ConfigError } from "./config.ts";
import { BackupError } from "./platform/backup/archive.ts";
import { secondsAfter } from "./platform/clock.ts";
import { explainDatabaseError } from "./platform/db/explain.ts";
import type { Database } from "./platform/db/database.ts";
import { DatabaseStartError, DataFolderInUseError } from "./platform/db/embedded/supervisor.ts";
import { databaseMadeAt, hasAccounts } from "./platform/db/database-history.ts";
import { describeError, errorLine } from "./platform/logging/describe-error.ts";
import { SecretsError } from "./platform/secrets.ts";
import type { ObjectStore } from "./platform/storage/object-store.ts";
import { storageProblem } from "./platform/storage/outage.ts";
import { systemCode } from "./platform/system-code.ts";

/** A start-up error that the operator can fix; printed as one line, without a stack (RUN-4). */
export class StartError extends Error {}

const oneLiners = [StartError, DatabaseStartError, DataFolderInUseError, SecretsError, BackupError];

/** Returns why a start failed, for a terminal: one or a few lines for a known cause, otherwise the whole error. */
export function explainStartFault(error: unknown): string[] {
  if (error instanceof ConfigError) return ["The settings are not right:", ...error.faults.map((fault) => `  ${fault}`)];
  if (!(error instanceof Error)) return [String(error)];
  if (oneLiners.some((kind) => error instanceof kind)) return [error.message];
  const { path, syscall } = error as NodeJS.ErrnoException;
  const code = systemCode(error) ?? "";
  const database = explainDatabaseError(error);
  // The file of a socket, which is no file of the site's.
  if (syscall === "connect" && database !== undefined) return [database];
  if (["EACCES", "EROFS", "EPERM"].includes(code))
    return [`No access to ${path ?? "the data folder"} (${code}): it must belong to the account of the site.`];
  if (["EEXIST", "ENOTDIR"].includes(code))
    return [`Cannot use ${path ?? "the data folder"}: a file is where a folder must be.`];
  if (code === "ENOENT") return [`There is no ${path ?? "such file"}.`];
  if (["ENOSPC", "EDQUOT"].includes(code)) return [`No space left for ${path ?? "the data folder"} (${code}).`];
  // Only a store arrives here with such a code: the database's errors have types of their own and are explained below. Checked first, since both
  // have the same causes.
  if (error instanceof ProductError && ["unavailable", "insufficient_storage"].includes(error.code))
    return [storeFaultLine(error)];
  // A URIError is of a % in it that is followed by no code.
  if (code === "ERR_INVALID_URL" || error instanceof URIError)
    return [
      "DATABASE_URL or DATABASE_DIRECT_URL is no address. Of a password in it, write % as %25, / as %2F, ? as %3F, # as %23 and @ as %40.",
    ];
  if (database !== undefined) return [database];
  return [errorLine(error), describeError(error).stack];
}

/** Returns why a store of the files failed, for a terminal. */
export function storeFaultLine({ code, cause }: ProductError): string {
  const why = cause === undefined ? "" : `: ${errorLine(cause)}`;
  if (code !== "insufficient_storage") return `Cannot reach the store of the files (S3_ENDPOINT)${why}`;
  // Only the store of a bucket fails with a cause.
  return cause === undefined
    ? "No room left for the files on the disk of DATA_DIR beside its reserve"
    : `No room left in the store of the files (S3_ENDPOINT)${why}`;
}

/** Throws `StartError` when `DATA_DIR` is a file. A missing folder is made later. */
export async function refuseFileAsFolder(dataDir: string): Promise<void> {
  const found = await stat(dataDir).catch(() => undefined);
  if (found && !found.isDirectory()) throw new StartError(`DATA_DIR must be a folder, and ${dataDir} is not.`);
}

/**
 * Throws `StartError` where the files of a site are older than a database without accounts, as when DATABASE_URL is forgotten: nobody wants a new
 * site there. Newer files may be of `npm run seed`, or of a restoration that was cut off. Files are looked at until one is older.
 */
export async function refuseOtherDatabase(db: Database, objects: ObjectStore): Promise<void> {
  if ((await hasAccounts(db)) || (await storageProblem(objects)) !== undefined) return;
  const madeAt = secondsAfter(await databaseMadeAt(db), -clockToleranceSeconds);
  if (!(await hasOlder(objects, madeAt))) return;
  throw new StartError(
    "There are stored files that are older than the database, which has no accounts. Set DATABASE_URL to the database of the site, or leave it " +
      "out if the site had none set. For a new site, set DATA_DIR to an empty folder or, with S3_BUCKET, use an empty bucket.",
  );
}

async function hasOlder(objects: ObjectStore, time: Date): Promise<boolean> {
  for await (const ids of objects.ids()) {
    for (const id of ids) {
      const changed = await objects.lastChange(id);
      if (changed !== undefined && changed < time) return true;
    }
  }
  return false;
}

/** Returns the error of a failed `listen` as one line that names the setting to change. */
export function listenFault(error: unknown, { port, host }: Pick<Config["server"], "port" | "host">): unknown {
  switch ((error as NodeJS.ErrnoException).code ?? "") {
    case "EADDRINUSE":
      return new StartError(`Port ${port} is in use. Stop the other program, or set another PORT, such as 3001`);
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
      return new StartError(`HOST: ${host} is not an address of this machine.`);
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new StartError(`HOST: ${host} has no address.`);
    case "EINVAL":
      return new StartError(
        `HOST: ${host} is no address to listen on. One that begins with fe80: needs its interface, as in fe80::1%eth0`,
      );
    case "EACCES":
    case "EPERM":
      return new StartError(`This account may not listen on port ${port}. Set a PORT from 1024 on, such as 3000`);
    default:
      return error;
  }
}
