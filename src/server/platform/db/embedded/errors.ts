import type { ClientConfig } from "pg";

/** Another running process of the product owns this data folder. */
export class DataFolderInUseError extends Error {
  override name = "DataFolderInUseError";
  /** Reaches its database all the same, for a program that only adds to what is there. */
  readonly connection: ClientConfig;

  constructor(message: string, connection: ClientConfig) {
    super(message);
    this.connection = connection;
  }
}

/** The site cannot start with its database, embedded or not; the message is one line for the operator. */
export class DatabaseStartError extends Error {
  override name = "DatabaseStartError";
}

/** The system's code of a failed call (`EACCES`, `ENOENT`), undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return syscall === undefined ? undefined : code;
}

/** Answers `undefined` where a file or folder is not there; any other failure stays a failure. */
export function orAbsent(error: unknown): undefined {
  if (systemCode(error) === "ENOENT") return undefined;
  throw error;
}

/** Turns a failed system call into one line: "Cannot use the data folder /x: permission denied (/x/postgres)". */
export function asStartError(error: unknown, dataDir: string): unknown {
  if (systemCode(error) === undefined) return error;
  const { message, path } = error as NodeJS.ErrnoException;
  const reason = /^E[A-Z0-9]+: ([^,]+)/.exec(message)?.[1] ?? message;
  const where = path && path !== dataDir ? ` (${path})` : "";
  return new DatabaseStartError(`Cannot use the data folder ${dataDir}: ${reason}${where}`);
}
