import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import type { ChangeFeed } from "../realtime/changes.ts";

/** One part that the site needs in order to serve. */
export interface ReadinessCheck {
  /** Stable name of the part, reported by `/readyz`. */
  name: string;
  /** Returns undefined when the part works, else a short code for the reason. A rejection is reported as `failed`. */
  check(): Promise<string | undefined>;
}

/** The reply of `/readyz` (RUN-2). It is public, so it has only names and codes. */
export type Readiness = { status: "ready" } | { status: "not_ready"; failing: { part: string; reason: string }[] };

const timeoutMs = 2000;

/** Returns a function that runs every check, each for at most two seconds. A check that still runs is not started twice. */
export function readinessOf(checks: ReadinessCheck[]): () => Promise<Readiness> {
  const bounded = checks.map((check) => ({ part: check.name, run: withTimeout(shareRun(check)) }));
  return async () => {
    const results = await Promise.all(bounded.map(async ({ part, run }) => ({ part, reason: await run() })));
    const failing = results.flatMap(({ part, reason }) => (reason === undefined ? [] : [{ part, reason }]));
    return failing.length === 0 ? { status: "ready" } : { status: "not_ready", failing };
  };
}

/** Reports `unreachable` without a connection, and `read_only` for a standby or a server that refuses writes. */
export function databaseCheck(db: Database): ReadinessCheck {
  const query = sql`select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only`;
  return {
    name: "database",
    check: () =>
      db.execute<{ read_only: boolean }>(query).then(
        ({ rows }) => (rows[0]?.read_only ? "read_only" : undefined),
        () => "unreachable",
      ),
  };
}

/** Reports `disconnected` while no change of the database reaches this process. */
export function feedCheck({ isConnected }: Pick<ChangeFeed, "isConnected">): ReadinessCheck {
  return { name: "changes", check: () => Promise.resolve(isConnected() ? undefined : "disconnected") };
}

type Run = () => Promise<string | undefined>;

function shareRun({ check }: ReadinessCheck): Run {
  let running: Promise<string | undefined> | undefined;
  return () =>
    (running ??= Promise.resolve()
      .then(check)
      .catch(() => "failed")
      .finally(() => (running = undefined)));
}

function withTimeout(run: Run): Run {
  return async () => {
    const ended = new AbortController();
    const timeout = pause(timeoutMs, "timeout", { ref: false, signal: ended.signal }).catch(() => undefined);
    return Promise.race([run(), timeout]).finally(() => ended.abort());
  };
}
