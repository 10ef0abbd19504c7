import { ConfigError } from "./config.ts";
import { explainDatabaseError } from "./platform/db/explain.ts";
import { DatabaseStartError, DataFolderInUseError } from "./platform/db/embedded/supervisor.ts";
import { describeError, errorLine } from "./platform/logging/describe-error.ts";

/** A fault that the person at the terminal can mend: told in one line, without a stack. */
export class StartError extends Error {}

/** Why a start failed, for a terminal: a line or a few where the cause is known, else everything there is. */
export function explainStartFault(error: unknown): string[] {
  if (error instanceof ConfigError) return ["The settings are not right:", ...error.faults.map((fault) => `  ${fault}`)];
  if (error instanceof StartError || error instanceof DatabaseStartError || error instanceof DataFolderInUseError) {
    return [error.message];
  }
  if (!(error instanceof Error)) return [String(error)];
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === "EACCES" || code === "EROFS" || code === "EPERM") {
    return [`Cannot write to ${path ?? "the data folder"} (${code}).`];
  }
  const database = explainDatabaseError(error);
  if (database !== undefined) return [database];
  return [errorLine(error), describeError(error).stack];
}
