import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { scratchDatabase, type ScratchDatabase } from "../../../../tests/support/database/scratch-database.ts";
import { checkSessions } from "./check-sessions.ts";
import { openDatabase, type Connection, type Database } from "./database.ts";
import { transaction } from "./transaction.ts";
import { isDatabaseUnavailable } from "./unavailable.ts";

let scratch: ScratchDatabase;
let db: Database;
beforeAll(async () => {
  scratch = await scratchDatabase("empty");
  await scratch.client.query("create table notes (text text primary key)");
});
afterAll(() => scratch.drop());
beforeEach(() => {
  db = openDatabase({ ...scratch.connection, max: 2 }, () => {});
});
afterEach(async () => {
  vi.restoreAllMocks();
  await db.$client.end();
  await scratch.client.query("truncate notes");
});

const write = (connection: Connection, text: string) => connection.execute(sql`insert into notes values (${text})`);
const notes = async () => (await scratch.client.query<{ text: string }>("select text from notes order by text")).rows;

/** Ends a connection from outside, as a restart of the server does, and returns once this side has noticed. */
async function cut(tx: Connection): Promise<void> {
  const client = tx.$client as pg.PoolClient;
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const lost = new Promise<void>((noticed) => client.once("end", noticed));
  await scratch.client.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
  await lost;
}

describe("a transaction", () => {
  // RUN-13
  it("sets the time limits, also behind a pooler, where a session keeps none", async () => {
    const limitsOn = async (connection: Connection) =>
      (
        await connection.execute(sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as idle`)
      ).rows[0];
    const usual = { statement: "15s", lock: "10s", idle: "5s" };
    expect(await transaction(db, limitsOn)).toEqual(usual);
    expect(await limitsOn(db)).toEqual(usual);
    const pooled = openDatabase({ ...scratch.connection, max: 1, direct: scratch.connection }, () => {});
    expect(await transaction(pooled, limitsOn)).toEqual(usual);
    expect(await limitsOn(pooled)).toEqual({ statement: "0", lock: "0", idle: "0" });
    await pooled.$client.end();
  });

  it("reads what others commit, and dates, whatever its role has set", async () => {
    const alter = (what: string) => scratch.client.query(`alter database "${scratch.client.database}" ${what}`);
    onTestFinished(async () => void (await alter("reset all")));
    const direct = { ...scratch.connection, direct: scratch.connection };
    await checkSessions(direct);
    const refusal = "set default_transaction_isolation = 'read committed'";
    await alter("set datestyle = 'SQL, DMY'");
    await expect(checkSessions(direct)).rejects.toThrow(refusal);
    await alter("reset all");
    await alter("set default_transaction_isolation = 'repeatable read'");
    await expect(checkSessions(direct)).rejects.toThrow(refusal);
    await alter("set datestyle = 'SQL, DMY'");
    const pooled = openDatabase({ ...direct, max: 1 }, () => {});
    for (const pool of [db, pooled]) {
      const read = transaction(pool, async (tx) => {
        const before = await tx.execute(sql`select text from notes`);
        await write(db, `by ${pool === db ? "session" : "transaction"}`);
        const after = await tx.execute(sql`select now()::text as at from notes`);
        return { seen: after.rows.length - before.rows.length, date: after.rows[0]?.["at"] };
      });
      expect(await read).toEqual({ seen: 1, date: expect.stringMatching(/^\d{4}-\d\d-\d\d /) });
    }
    await pooled.$client.end();
  });

  it("commits and returns what the action returned", async () => {
    expect(await transaction(db, (tx) => write(tx, "kept").then(() => 7))).toBe(7);
    expect(await notes()).toEqual([{ text: "kept" }]);
  });

  it("rolls back on any error and throws it", async () => {
    const failing = transaction(db, async (tx) => {
      await write(tx, "lost");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await notes()).toEqual([]);
    expect(db.$client.idleCount).toBe(1);
  });

  it("undoes only the inner action when a nested one fails", async () => {
    await transaction(db, async (tx) => {
      await write(tx, "outer");
      await transaction(tx, async (inner) => {
        await transaction(inner, () => write(inner, "innermost"));
        await write(inner, "innermost");
      }).catch(() => {});
      await transaction(tx, (inner) => write(inner, "second"));
    });
    expect(await notes()).toEqual([{ text: "outer" }, { text: "second" }]);
  });

  it("reports a commit that PostgreSQL turned into a rollback", async () => {
    const swallowing = transaction(db, async (tx) => {
      await write(tx, "once");
      await write(tx, "once").catch(() => {});
    });
    await expect(swallowing).rejects.toThrow("rolled back");
    expect(await notes()).toEqual([]);
  });
});

describe("a transaction whose connection is lost", () => {
  it.each([
    ["between two statements", async (tx: Connection) => void (await cut(tx), await write(tx, "late"))],
    ["after the last statement", (tx: Connection) => cut(tx)],
    ["during a statement", (tx: Connection) => tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`).then(() => {})],
  ])("fails as unavailable and leaves the pool whole, %s", async (_, action) => {
    for (let round = 0; round < 3; round += 1) {
      const error: unknown = await transaction(db, action).catch((thrown: unknown) => thrown);
      expect(isDatabaseUnavailable(error), String(error)).toBe(true);
    }
    await transaction(db, (tx) => write(tx, "after"));
    expect(await notes()).toEqual([{ text: "after" }]);
  });
});

it("loses no place in the pool when begin fails", async () => {
  const original = pg.Client.prototype.query;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    if (args[0] === "begin") return Promise.reject(new Error("Query read timeout")) as never;
    return Reflect.apply(original, this, args) as never;
  });
  for (let round = 0; round < 5; round += 1) {
    await expect(transaction(db, (tx) => write(tx, "never"))).rejects.toThrow("Query read timeout");
  }
  vi.restoreAllMocks();
  await Promise.all([transaction(db, (tx) => write(tx, "one")), transaction(db, (tx) => write(tx, "two"))]);
  expect(await notes()).toHaveLength(2);
});

it("discards the connection to a server that became read-only", async () => {
  const pids = new Set<number>();
  const refused = () =>
    transaction(db, async (tx) => {
      const { rows } = await tx.$client.query<{ pid: number }>("select pg_backend_pid() as pid");
      pids.add(rows[0]!.pid);
      await tx.execute(sql`set transaction read only`);
      await write(tx, "never");
    });
  for (let round = 0; round < 3; round += 1) {
    const error: unknown = await refused().catch((thrown: unknown) => thrown);
    expect(isDatabaseUnavailable(error)).toBe(true);
  }
  expect(pids.size).toBe(3);
});
