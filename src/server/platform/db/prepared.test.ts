import { randomUUID } from "node:crypto";
import { eq, inArray, sql } from "drizzle-orm";
import { bigint, customType, integer, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scratchDatabase, type ScratchDatabase } from "../../../../tests/support/database/scratch-database.ts";
import { openDatabase, type Connection, type Database } from "./database.ts";
import { arrayOf, prepared, preparedInsert } from "./prepared.ts";
import { together } from "./together.ts";
import { onOneConnection } from "./transaction.ts";

const shouted = customType<{ data: string }>({ dataType: () => "text", toDriver: (value) => value.toUpperCase() });

const notes = pgTable("notes", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  author: uuid().defaultRandom(),
  title: text().notNull(),
  loud: shouted(),
  stars: integer().default(3),
  details: jsonb(),
  at: timestamp({ withTimezone: true }),
});

let scratch: ScratchDatabase;
let db: Database;
beforeAll(async () => {
  scratch = await scratchDatabase("empty");
  db = openDatabase({ ...scratch.connection, max: 2 }, () => {});
  await db.execute(sql`create table notes (id bigint generated always as identity primary key, author uuid default gen_random_uuid(),
    title text not null unique, loud text, stars integer default 3, details jsonb, at timestamptz)`);
});
afterAll(async () => {
  await db?.$client.end();
  await scratch?.drop();
});

const insert = preparedInsert(notes, (rows) => rows.returning().prepare("insert_notes"));

describe("a prepared insert", () => {
  it("a prepared insert keeps a statement of few rows, and none of many", async () => {
    let built = 0;
    const counted = preparedInsert(notes, (rows) => {
      built += 1;
      return rows.prepare("insert_counted_notes");
    });
    const insertRows = (count: number) =>
      counted(
        db,
        Array.from({ length: count }, () => ({ title: randomUUID() })),
      );
    for (const count of [1, 1, 4, 4]) await insertRows(count);
    expect(built).toBe(2);
    for (const count of [5, 5]) await insertRows(count);
    expect(built).toBe(4);
  });

  it("a prepared insert stores values as their columns write them, nulls and defaults", async () => {
    const at = new Date("2026-11-25T12:00:00Z");
    const values = [
      { title: "all", loud: "hey", stars: 5, details: { list: [1, null] }, at },
      { title: "nulls", loud: null, stars: null, details: null, at: null, author: null },
      { title: "defaults", stars: undefined },
    ];
    for (let use = 1; use <= 4; use += 1) {
      const stored = await insert(
        db,
        values.map((row) => ({ ...row, title: `${row.title} ${use}` })),
      );
      expect(stored).toMatchObject([
        { title: `all ${use}`, loud: "HEY", stars: 5, details: { list: [1, null] }, at, author: expect.any(String) },
        { title: `nulls ${use}`, loud: null, stars: null, details: null, at: null, author: null },
        { title: `defaults ${use}`, loud: null, stars: 3, details: null, at: null, author: expect.any(String) },
      ]);
    }
  });

  it("a prepared insert takes other columns at the next use", async () => {
    expect(await insert(db, [{ title: "starred", stars: 1 }])).toMatchObject([{ stars: 1, loud: null }]);
    expect(await insert(db, [{ title: "loud", loud: "ho" }])).toMatchObject([{ stars: 3, loud: "HO" }]);
  });
});

describe("prepared queries", () => {
  it("prepared queries are sent by `together` in the order given", async () => {
    const titles = prepared((connection) =>
      connection
        .select({ title: notes.title })
        .from(notes)
        .where(eq(notes.title, sql.placeholder("title")))
        .prepare("titles"),
    );
    const find = async (connection: Connection, title: string) => (await titles(connection).execute({ title })).length;
    await onOneConnection(db, async (connection) => {
      const found = await together(
        find(connection, "ordered"),
        insert(connection, [{ title: "ordered" }]),
        find(connection, "ordered"),
      );
      expect([found[0], found[2]]).toEqual([0, 1]);
    });
  });

  it("a prepared query keeps its plan for an array of one", async () => {
    const byTitle = prepared((connection) =>
      connection
        .select({ id: notes.id })
        .from(notes)
        .where(sql`${notes.title} = any(${arrayOf("titles", "text")})`)
        .prepare("by_title"),
    );
    await onOneConnection(db, async (connection) => {
      const find = () => byTitle(connection).execute({ titles: ["starred"] });
      for (let use = 1; use <= 9; use += 1) expect(await find()).toEqual([{ id: expect.any(Number) }]);
      const { rows } = await connection.execute(sql`
        select generic_plans::integer as kept from pg_prepared_statements where statement like '%any((select%'`);
      expect(rows).toEqual([{ kept: expect.any(Number) }]);
      expect((rows[0] as { kept: number }).kept).toBeGreaterThan(0);
    });
    const titles = ["starred", "loud"];
    expect(await byTitle(db).execute({ titles })).toHaveLength(2);
    expect(await db.select().from(notes).where(inArray(notes.title, titles))).toHaveLength(2);
  });
});
