import { createHash } from "node:crypto";
import { HBA } from "./access-files.ts";

/** What the command line of `postgres` depends on. */
export interface ServerSettings {
  socketFolder: string;
  major: number;
  extra: Record<string, string>;
}

/** Part of the socket file's name; PostgreSQL does not listen on TCP. */
export const PORT = 5432;

/** The setting that holds a running server's fingerprint. */
export const FINGERPRINT = "pipwright.fingerprint";

const FIXED = {
  listen_addresses: "",
  port: String(PORT),
  unix_socket_permissions: "0700",
  max_connections: "100",
  // A small footprint: the whole product stays under 150 MB.
  shared_buffers: "32MB",
  huge_pages: "off",
  jit: "off",
  max_wal_senders: "4",
  max_logical_replication_workers: "0",
  autovacuum_max_workers: "2",
  // An acknowledged payment survives a power loss.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",
  log_checkpoints: "off",
  log_line_prefix: "%m [%p] ",
  // Statements and row values contain personal data and stay out of the log.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
};

/** Returns the arguments of `postgres` for a cluster. `-D` is first, so that a process list shows the cluster. */
export function serverArguments(clusterDir: string, settings: ServerSettings, fingerprint: string): string[] {
  const all = { ...valuesOf(settings), [FINGERPRINT]: fingerprint };
  return ["-D", clusterDir, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

/** Returns a hash of binaries, settings and access rules: a start adopts a running server with the same fingerprint. */
export function settingsFingerprint(bin: string, version: string, settings: ServerSettings): string {
  const text = JSON.stringify([bin, version, valuesOf(settings), HBA]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function valuesOf({ socketFolder, major, extra }: ServerSettings): Record<string, string> {
  return {
    ...FIXED,
    unix_socket_directories: quotedInList(socketFolder),
    // PostgreSQL 18 would keep three idle I/O workers in memory.
    ...(major >= 18 ? { io_method: "sync" } : {}),
    ...extra,
  };
}

function quotedInList(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}
