import type pg from "pg";

/**
 * SQLSTATEs of a server that cannot serve now: connection failures (08), wrong or missing database or login (28, 3D000: the
 * program started with the right ones), a read-only standby (25006), timeouts of transactions and locks (25P03, 55P03), lost
 * races (40001, 40P01), no disk, memory or connections left (53), cancelled or shutting down (57), failing disks (58).
 */
const unavailableStates = /^(?:08...|25006|25P03|28...|3D000|40001|40P01|53...|55P03|57...|58...)$/;

/** States after which a connection must not be reused: a new one may reach another server, or one that works. */
const breakingStates = /^(?:08...|25006|25P03|28...|3D000|57P..)$/;

/** Codes of the operating system and of DNS. */
const networkCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "EPROTO",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EMFILE",
  "ENFILE",
]);

/** Codes of a failed TLS handshake: Node's, and OpenSSL's of certificates. */
const tlsCodes = /^ERR_(?:SSL|TLS)_|CERT|^UNABLE_TO_VERIFY_LEAF_SIGNATURE$|^HOSTNAME_MISMATCH$|^INVALID_(?:CA|PURPOSE)$/;

/** Messages of node-postgres errors without a code. Its version is pinned, and a test provokes each of them. */
const codelessMessages = new Set([
  "timeout expired",
  "timeout exceeded when trying to connect",
  "Connection terminated",
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
  "Cannot use a pool after calling end on the pool",
  "Query read timeout",
  "The server does not support SSL connections",
  "There was an error establishing an SSL connection",
]);

/** Returns whether an error, or one of its causes, means that the database cannot serve now but may later (RUN-3). */
export function isDatabaseUnavailable(error: unknown): boolean {
  return causesOf(error).some(
    (cause) => isLostConnection(cause) || isLostStatement(cause) || unavailableStates.test(cause.code ?? ""),
  );
}

/** Returns whether the connection that an error came from must not be reused. */
export function breaksConnection(error: unknown): boolean {
  return causesOf(error).some(
    (cause) => isLostConnection(cause) || isLostStatement(cause) || breakingStates.test(cause.code ?? ""),
  );
}

/** Returns an error and its causes, the outermost first; at most ten, since causes may form a cycle. */
export function causesOf(error: unknown): NodeJS.ErrnoException[] {
  const causes: NodeJS.ErrnoException[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 10; cause = cause.cause) causes.push(cause);
  return causes;
}

/**
 * Returns whether a prepared statement has other columns since a migration, is not of this connection, or is there already: a pooler lent it
 * (`PREPARED_STATEMENTS`). A new connection prepares it anew.
 */
function isLostStatement(error: NodeJS.ErrnoException): boolean {
  if (error.code === "0A000") return (error as pg.DatabaseError).routine === "RevalidateCachedQuery";
  return error.code === "26000" || error.code === "42P05";
}

function isLostConnection({ code, syscall, message }: NodeJS.ErrnoException): boolean {
  // The socket's file is missing while its server is down, or its folder is closed to this account.
  if (code === "ENOENT" || code === "EACCES" || code === "EPERM") return syscall === "connect";
  return code === undefined ? codelessMessages.has(message) : networkCodes.has(code) || tlsCodes.test(code);
}
