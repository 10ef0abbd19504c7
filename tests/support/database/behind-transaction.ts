import pg from "pg";
import { inject, vi } from "vitest";
import type { TestApp } from "../app.ts";

interface Statement {
  text: string;
  values?: unknown[];
}

/**
 * Runs `action` behind another transaction that has run `statement` and not committed it. Once `waiters` transactions of `action` wait for a
 * lock, runs `next` there, which a deadlock would fail, and commits. Returns what `action` returns. Throws when `action` ends without having waited.
 */
export async function behindTransaction<Result>(
  app: TestApp,
  statement: Statement,
  action: () => Promise<Result>,
  next?: Statement,
  waiters = 1,
): Promise<Result> {
  const { database } = app.deps.db.$client.options;
  const other = new pg.Client({ ...inject("postgres"), database });
  await other.connect();
  try {
    await other.query("begin");
    await other.query(statement);
    let hasEnded = false;
    const outcome = action().finally(() => {
      hasEnded = true;
    });
    await vi.waitFor(
      async () => {
        if (hasEnded) return;
        const waiting = await app.sql("select 1 from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'", [
          database,
        ]);
        if (waiting.length < waiters) throw new Error(`${waiting.length} wait for a lock, instead of ${waiters}.`);
      },
      { timeout: 90_000, interval: 20 },
    );
    if (hasEnded) throw new Error("The action did not wait for the other transaction.");
    if (next) await other.query(next);
    await other.query("commit");
    return await outcome;
  } finally {
    await other.end();
  }
}
