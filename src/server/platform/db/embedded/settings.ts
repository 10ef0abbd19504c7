import { createHash } from "node:crypto";

/** Everything on the command line of `postgres`. */
export interface ServerSettings {
  socketFolder: string;
  major: number;
  extra: Record<string, string>;
}

/** PostgreSQL listens nowhere by TCP; the number only names its socket file. */
export const PORT = 5432;

/** The setting that carries a running server's fingerprint. */
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
  // Statements and row values hold people's data; they stay out of the log.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
};

/** The arguments of `postgres` for a cluster; `-D` comes first, so that a process list shows whose server it is. */
export function serverArguments(clusterDir: string, settings: ServerSettings, fingerprint: string): string[] {
  const all = { ...valuesOf(settings), [FINGERPRINT]: fingerprint };
  return ["-D", clusterDir, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

/** Two starts with the same fingerprint would run the same server, so that one can adopt the other's. */
export function fingerprintOf(bin: string, version: string, settings: ServerSettings): string {
  const text = JSON.stringify([bin, version, valuesOf(settings)]);
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
