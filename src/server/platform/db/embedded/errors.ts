import type { ClientConfig } from "pg";

/** Another running process of the product owns this data folder. */
export class DataFolderInUseError extends Error {
  override name = "DataFolderInUseError";
  /** For programs that add data while the owner runs, such as the seed; undefined when the owner is an older version. */
  readonly connection: ClientConfig | undefined;

  constructor(message: string, connection: ClientConfig | undefined) {
    super(message);
    this.connection = connection;
  }
}

/** A start-up error of the database, embedded or not, that the operator can fix; printed as one line. */
export class DatabaseStartError extends Error {
  override name = "DatabaseStartError";
}

/** Returns the code of a failed system call (`EACCES`, `ENOENT`), undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return syscall === undefined ? undefined : code;
}

/** For `catch`: returns undefined when a file or folder is missing and throws any other error. */
export function orAbsent(error: unknown): undefined {
  if (systemCode(error) === "ENOENT") return undefined;
  throw error;
}

/** Returns a failed system call as one line: "Cannot use the data folder /x: permission denied (/x/postgres)". */
export function asStartError(error: unknown, dataDir: string): unknown {
  if (systemCode(error) === undefined) return error;
  const { message, path } = error as NodeJS.ErrnoException;
  const reason = /^E[A-Z0-9]+: ([^,]+)/.exec(message)?.[1] ?? message;
  const where = path && path !== dataDir ? ` (${path})` : "";
  return new DatabaseStartError(`Cannot use the data folder ${dataDir}: ${reason}${where}`);
}
