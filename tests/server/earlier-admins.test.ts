import { afterEach, beforeEach, expect, it } from "vitest";
import { migrateBefore, migrateThrough } from "../support/database/earlier-version.ts";
import { scratchDatabase, type ScratchDatabase } from "../support/database/scratch-database.ts";

const rolesCount = "0078-roles-count.sql";
let database: ScratchDatabase;

beforeEach(async () => {
  database = await scratchDatabase("empty");
  await migrateBefore(database, rolesCount);
});
afterEach(() => database.drop());

// STATS-5
it("counts no admin who was a student before the update, and notes a former admin", async () => {
  await database.client.query(`
    insert into accounts (email, password_hash, role, created_at) values
      ('admin', '', 'admin', now()), ('former admin', '', 'student', now()), ('student', '', 'student', now());
    insert into student_steps select id, '2026-11-01', 0 from accounts where email in ('admin', 'student');
    insert into student_totals values ('2026-11-01', 0, 2), ('2026-11-01', 1, 2), ('2026-11-02', 0, 2);
    delete from student_changes`);
  await migrateThrough(database, rolesCount);
  const read = async (query: string) => (await database.client.query({ text: query, rowMode: "array" })).rows;
  const emailsIn = (table: string) =>
    read(`select email from ${table} join accounts on accounts.id = account_id order by email`);
  expect(await emailsIn("student_changes")).toEqual([["former admin"]]);
  expect(await emailsIn("student_steps")).toEqual([["student"]]);
  expect(await read("select joined_on::text, step, students::integer from student_totals order by 1, 2")).toEqual([
    ["2026-11-01", 0, 1],
    ["2026-11-01", 1, 2],
    ["2026-11-02", 0, 2],
  ]);
});
