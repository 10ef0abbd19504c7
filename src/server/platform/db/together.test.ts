import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { scratchDatabase, type ScratchDatabase } from "../../../../tests/support/database/scratch-database.ts";
import { openDatabase, type Connection, type Database } from "./database.ts";
import { together } from "./together.ts";
import { onOneConnection, transaction } from "./transaction.ts";

let scratch: ScratchDatabase;
let db: Database;
beforeAll(async () => {
  scratch = await scratchDatabase("empty");
  db = openDatabase({ ...scratch.connection, max: 2 }, () => {});
  await db.execute(sql`create table written (value integer check (value > 0))`);
});
afterAll(async () => {
  await db?.$client.end();
  await scratch?.drop();
});

const write = (connection: Connection, value: number) => connection.execute(sql`insert into written values (${value})`);
const count = async (connection: Connection) =>
  (await connection.execute<{ rows: string }>(sql`select count(*) as rows from written`)).rows[0]!.rows;
const process = async (connection: Connection) =>
  (await connection.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)).rows[0]!.pid;

describe("statements sent together", () => {
  it("leave in one write", async () => {
    await onOneConnection(db, async (connection) => {
      const { stream } = (connection.$client as unknown as pg.PoolClient & { connection: { stream: Socket } }).connection;
      const writes = vi.spyOn(stream, "_writev");
      const ask = (value: string) => connection.execute(sql`select ${value}::text`);
      await together(ask("one"), ask("two"), ask("three"));
      expect(writes).toHaveBeenCalledTimes(1);
    });
  });

  it("are all sent before the first reply", async () => {
    await scratch.client.query("select pg_advisory_lock(1)");
    await transaction(db, async (tx) => {
      const { connection } = tx.$client as pg.PoolClient & { connection: { stream: Socket } };
      const before = connection.stream.bytesWritten;
      const asked = together(
        tx.execute(sql`select pg_advisory_xact_lock(1)`),
        tx.execute(sql`select ${"x".repeat(10_000)}::text`),
      );
      await vi.waitUntil(() => connection.stream.bytesWritten > before + 10_000, { timeout: 90_000 });
      await scratch.client.query("select pg_advisory_unlock(1)");
      await asked;
    });
  });

  it("leave nothing behind when one fails, not even what another action writes later", async () => {
    const later = async (tx: Connection): Promise<void> => {
      await write(tx, 1);
      for (let turns = 0; turns < 5; turns += 1) await turn();
      await write(tx, 2).catch(() => {});
      await write(tx, 3).catch(() => {});
    };
    await expect(transaction(db, (tx) => together(later(tx), write(tx, -1), count(tx)))).rejects.toThrow("insert into written");
    expect(await count(db)).toBe("0");
    await transaction(db, (tx) => write(tx, 4));
    expect(await count(db)).toBe("1");
  });

  it("throw the first error in their order, whichever comes first", async () => {
    const slow = async (): Promise<never> => {
      await turn();
      throw new Error("slow");
    };
    await expect(together(slow(), Promise.reject(new Error("quick")))).rejects.toThrow("slow");
  });

  it("throw the error that failed the transaction, not those of statements behind it", async () => {
    const behind = async (tx: Connection) => {
      await turn();
      return count(tx);
    };
    await expect(transaction(db, (tx) => together(behind(tx), write(tx, -1)))).rejects.toThrow("insert into written");
  });

  it("use one connection of the pool, or the transaction's, and give it back", async () => {
    const processes = await onOneConnection(db, (one) => together(process(one), process(one), process(one)));
    expect(new Set(processes).size).toBe(1);
    await expect(onOneConnection(db, (one) => write(one, -1))).rejects.toThrow("insert into written");
    await transaction(db, async (tx) => expect(await onOneConnection(tx, process)).toBe(await process(tx)));
    expect(db.$client.idleCount).toBe(db.$client.totalCount);
  });
});
