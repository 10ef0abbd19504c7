import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findAllEntries } from "#server/features/audit/queries";
import { findAllStudents } from "#server/features/users/list-queries";
import { findAllForReview } from "#server/features/payment-requests/list/queries";
import type { Database } from "#server/platform/db/database";
import * as schema from "#server/platform/db/schema";
import { migrateBefore, migrateThrough } from "../support/database/earlier-version.ts";
import { scratchDatabase, type ScratchDatabase } from "../support/database/scratch-database.ts";

const searchSteps = "0041-search-steps.sql";
const composedNames = "0065-composed-names.sql";
const composedSearches = "0067-rests-and-composed-searches.sql";
const oneSigma = "0074-one-sigma.sql";
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

/** Stores a name where searches look for it: of a student, of a request and in the audit log. */
async function insertNamed(name: string): Promise<void> {
  const { client } = database;
  await client.query("insert into accounts (email, password_hash, created_at) values ('nikos@example.com', 'x', now())");
  await client.query("insert into profiles (id, email, full_name) select id, email, $1 from accounts", [name]);
  await insertRequest(name, "to");
  await client.query(
    `insert into audit_log (at, actor_email, action, subject_type, subject_id, details, ip)
      values (now(), '', 'account.name', 'account', 'x', jsonb_build_object('after', $1::text), '')`,
    [name],
  );
}

const auditIndex = async () =>
  (await database.client.query("select pg_relation_filenode('audit_log_search') as file")).rows[0].file;

// LIST-2, AUDIT-4
it("finds Greek names that earlier versions stored in any letter case", async () => {
  await migrateBefore(database, oneSigma);
  await insertNamed("Νίκος");
  await database.client.query("set enable_seqscan = off");

  expect(await migrateThrough(database, oneSigma)).toEqual([oneSigma]);

  const db = drizzle(database.client, { schema }) as unknown as Database;
  const newest = { sort: "newest", after: undefined, limit: 9 } as const;
  for (const search of ["ΝΊΚΟΣ", "νίκος", "ΚΟΣ"]) {
    expect(await findAllStudents(db, { search, tier: undefined }, newest), search).toHaveLength(1);
    expect(await findAllForReview(db, { filter: { search }, ...newest }), search).toHaveLength(1);
    // More than a glance at the newest entries, so that the index is read.
    expect(await findAllEntries(db, { search }, { before: undefined, limit: 301 }), search).toHaveLength(1);
  }
});

// AUDIT-4
it("builds the search index of the audit log again only where it has a Greek name", async () => {
  await migrateBefore(database, oneSigma);
  await insertNamed("สมชาย Ωmega");
  const before = await auditIndex();

  expect(await migrateThrough(database, oneSigma)).toEqual([oneSigma]);

  expect(await auditIndex()).toBe(before);
});

// AUDIT-4
it("keeps the audit log's index right for connections that were open before", async () => {
  await migrateBefore(database, oneSigma);
  // The connection has read what the index is of.
  await insertNamed("Nikos");
  expect(await migrateThrough(database, oneSigma)).toEqual([oneSigma]);
  await database.client.query(`
    insert into audit_log (at, actor_email, action, subject_type, subject_id, details, ip)
    values (now(), '', 'account.name', 'account', 'y', '{"after": "Νίκος"}', '')`);

  const later = new pg.Client(database.connection);
  await later.connect();
  await later.query("set enable_seqscan = off");
  const db = drizzle(later, { schema }) as unknown as Database;
  const entries = await findAllEntries(db, { search: "ΝΊΚΟΣ" }, { before: undefined, limit: 301 });
  await later.end();
  expect(entries.map(({ subject_id }) => subject_id)).toEqual(["y"]);
});
