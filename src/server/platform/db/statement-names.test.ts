import { text } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import { to as copyTo } from "pg-copy-streams";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { scratchDatabase, type ScratchDatabase } from "../../../../tests/support/database/scratch-database.ts";
import { productError } from "../http/errors.ts";
import { openDatabase, type Connection, type Database } from "./database.ts";
import { StatementNames } from "./statement-names.ts";
import { transaction } from "./transaction.ts";

describe("the names of statements", () => {
  it("are given from the third use on, the same for the same text", () => {
    const names = new StatementNames();
    const ask = (statement: string) => [1, 2, 3, 4].map(() => names.nameOf(statement));
    const [first, second, third, fourth] = ask("select 1");
    expect([first, second]).toEqual([undefined, undefined]);
    expect(third).toBe(fourth);
    expect(third).toHaveLength(43);
  });

  it("are the same for the same text in every process, and of no other text", () => {
    const nameOf = (names: StatementNames, statement: string) => [1, 2, 3].map(() => names.nameOf(statement)).at(-1);
    const [one, other] = [new StatementNames(), new StatementNames()];
    const name = nameOf(one, "select 1");
    expect(nameOf(other, "select 2")).not.toBe(name);
    expect(nameOf(other, "select 1")).toBe(name);
  });

  it("are not given to a list, unless it was prepared", () => {
    const names = new StatementNames();
    const list = "select * from notes where author = $1 limit $2";
    const ask = (isPrepared: boolean) => [1, 2, 3].map(() => names.nameOf(list, isPrepared)).at(-1);
    expect(ask(false)).toBeUndefined();
    expect(ask(true)).toHaveLength(43);
  });

  it("are at most 250, whatever is asked", () => {
    const names = new StatementNames();
    const statements = Array.from({ length: 3000 }, (_none, index) => `select ${index}`);
    for (let use = 1; use <= 3; use += 1) for (const statement of statements.slice(0, 1500)) names.nameOf(statement);
    for (const statement of statements) names.nameOf(statement);
    expect(new Set(statements.map((statement) => names.nameOf(statement))).size).toBe(251);
    expect(names.nameOf("select 0")).toBeDefined();
  });
});

describe("a connection of the pool", () => {
  let scratch: ScratchDatabase;
  let db: Database;
  beforeAll(async () => {
    scratch = await scratchDatabase("empty");
  });
  afterEach(() => db.$client.end());
  afterAll(() => scratch.drop());

  const open = (prepares: boolean): void => {
    db = openDatabase({ ...scratch.connection, max: 1, prepares }, () => {});
  };
  const ask = (connection: Connection, number: number) =>
    connection.execute<{ number: number }>(sql`select ${number}::integer as number`);
  const prepared = async (): Promise<string[]> => {
    const { rows } = await db.$client.query<{ statement: string }>("select statement from pg_prepared_statements");
    return rows.map(({ statement }) => statement);
  };

  it("prepares what is asked again, in and outside of a transaction", async () => {
    open(true);
    const answers: number[] = [];
    for (let number = 1; number <= 3; number += 1) answers.push((await ask(db, number)).rows[0]!.number);
    answers.push((await transaction(db, (tx) => ask(tx, 4))).rows[0]!.number);
    expect(answers).toEqual([1, 2, 3, 4]);
    expect(await prepared()).toEqual(["select $1::integer as number"]);
  });

  it("prepares nothing where a pooler would lose it, not even what has a name", async () => {
    open(false);
    for (let number = 1; number <= 4; number += 1) await ask(db, number);
    await db
      .select({ one: sql`1` })
      .from(sql`(values (1)) as one`)
      .prepare("named")
      .execute();
    expect(await prepared()).toEqual([]);
  });

  it("is replaced when a migration has changed what a prepared statement returns", async () => {
    open(true);
    await scratch.client.query("create table changing (value integer)");
    const read = (connection: Connection) => connection.execute(sql`select * from changing where ${1}::integer = 1`);
    for (let use = 1; use <= 3; use += 1) await read(db);
    await scratch.client.query("alter table changing alter value type text");
    const failed = await transaction(db, read).catch((error: unknown) => error);
    expect(productError(failed)).toMatchObject({ code: "unavailable", status: 503 });
    expect((await transaction(db, read)).rows).toEqual([]);
  });

  it("is replaced when it has lost its prepared statements", async () => {
    open(true);
    for (let number = 1; number <= 3; number += 1) await ask(db, number);
    await db.$client.query("deallocate all");
    const failed = await ask(db, 4).catch((error: unknown) => error);
    expect(productError(failed)).toMatchObject({ code: "unavailable", status: 503 });
    expect((await ask(db, 5)).rows).toEqual([{ number: 5 }]);
  });

  it("refuses what writes to the connection by itself, such as a copy", async () => {
    open(true);
    const client = await db.$client.connect();
    await expect(text(client.query(copyTo("copy (select 1) to stdout")))).rejects.toThrow("pipeline");
    client.release();
  });
});
