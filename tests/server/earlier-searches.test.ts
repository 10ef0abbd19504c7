import { drizzle } from "drizzle-orm/node-postgres";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findAllEntries } from "#server/features/audit/queries";
import { findAllStudents } from "#server/features/users/list-queries";
import type { Database } from "#server/platform/db/database";
import * as schema from "#server/platform/db/schema";
import { migrateBefore, migrateThrough } from "../support/database/earlier-version.ts";
import { scratchDatabase, type ScratchDatabase } from "../support/database/scratch-database.ts";

const searchSteps = "0041-search-steps.sql";
let database: ScratchDatabase;

beforeEach(async () => {
  database = await scratchDatabase("empty");
  await migrateBefore(database, searchSteps);
});
afterEach(() => database.drop());

// USER-1, AUDIT-4.
it("finds students and audit entries of earlier versions", async () => {
  const { client } = database;
  await client.query(`
    insert into accounts (email, password_hash, role, created_at, last_sign_in_at) values
      ('never@example.com', 'x', 'student', '2026-01-03', null), ('early@example.com', 'x', 'student', '2026-01-02', '2026-02-02'),
      ('late@example.com', 'x', 'student', '2026-01-01', '2026-03-03');
    insert into profiles (id, email, full_name) select id, email, 'สมชาย' from accounts;
    insert into audit_log (at, actor_email, action, subject_type, subject_id, details, ip)
      values (now(), 'early@example.com', 'account.name', 'account', 'x', '{"after": "สมชาย"}', '::1')`);

  expect(await migrateThrough(database, searchSteps)).toEqual([searchSteps]);

  const db = drizzle(client, { schema }) as unknown as Database;
  const emails = async (sort: "newest" | "last-sign-in") => {
    const students = await findAllStudents(db, { search: "สมชาย", tier: undefined }, { sort, after: undefined, limit: 9 });
    return students.map(({ email }) => email.split("@")[0]);
  };
  expect(await emails("newest")).toEqual(["never", "early", "late"]);
  expect(await emails("last-sign-in")).toEqual(["late", "early", "never"]);
  const entries = await findAllEntries(db, { search: "สมชาย" }, { before: undefined, limit: 9 });
  expect(entries.map(({ action }) => action)).toEqual(["account.name"]);
});
