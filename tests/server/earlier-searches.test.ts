import { drizzle } from "drizzle-orm/node-postgres";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findAllEntries } from "#server/features/audit/queries";
import { findAllStudents } from "#server/features/users/list-queries";
import type { Database } from "#server/platform/db/database";
import * as schema from "#server/platform/db/schema";
import { migrateBefore, migrateThrough } from "../support/database/earlier-version.ts";
import { scratchDatabase, type ScratchDatabase } from "../support/database/scratch-database.ts";

const searchSteps = "0041-search-steps.sql";
const composedNames = "0065-composed-names.sql";
const composedSearches = "0067-rests-and-composed-searches.sql";
let database: ScratchDatabase;

beforeEach(async () => {
  database = await scratchDatabase("empty");
  await migrateBefore(database, searchSteps);
});
afterEach(() => database.drop());

/** Inserts a request as every version since the first has them. */
const insertRequest = (name: string, destination: string) =>
  database.client.query(
    `with screenshot as (
      insert into stored_objects (id, bucket, name, filename, content_type, size, created_at)
      values (gen_random_uuid(), 'payment-screenshots', 'a', 'a.png', 'image/png', 1, now()) returning id
    )
    insert into payment_requests (payer_email, payer_full_name, package_type, original_usd, discount_percent, amount_usd, amount_crypto,
      crypto_type, wallet_address, screenshot_url, screenshot_object_id, consent_version, consented_at, idempotency_key, created_at)
    select 'tran@example.com', $1, 'starter', 497, 0, 497, 1, 'thai_bank', $2, 'u', id, '2026-11', now(), 'k', now() from screenshot`,
    [name, destination],
  );

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

// LIST-2
it("finds names that earlier versions stored with accents as marks of their own", async () => {
  const { client } = database;
  await migrateBefore(database, composedNames);
  await client.query(`
    insert into accounts (email, password_hash, created_at) values ('tran@example.com', 'x', now());
    insert into profiles (id, email, full_name) select id, email, 'Tra\u0302\u0300n' from accounts`);
  await insertRequest("Tra\u0302\u0300n", "to");

  expect(await migrateThrough(database, composedNames)).toEqual([composedNames]);

  const db = drizzle(client, { schema }) as unknown as Database;
  const students = await findAllStudents(
    db,
    { search: "Tr\u1ea7n", tier: undefined },
    { sort: "newest", after: undefined, limit: 9 },
  );
  expect(students.map(({ full_name }) => full_name)).toEqual(["Tr\u1ea7n"]);
  const { rows } = await client.query("select payer_full_name, search_text like '%tr\u1ea7n%' as found from payment_requests");
  expect(rows).toEqual([{ payer_full_name: "Tr\u1ea7n", found: true }]);
});

// LIST-2
it("finds banks that earlier versions stored with accents as marks of their own", async () => {
  const { client } = database;
  await migrateBefore(database, composedSearches);
  await insertRequest("Tran", "Nga\u0302n ha\u0300ng 123");

  expect(await migrateThrough(database, composedSearches)).toEqual([composedSearches]);

  const { rows } = await client.query("select wallet_address, search_text like '%ng\u00e2n%' as found from payment_requests");
  expect(rows).toEqual([{ wallet_address: "Nga\u0302n ha\u0300ng 123", found: true }]);
});
