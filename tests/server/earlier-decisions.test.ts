import { afterEach, beforeEach, expect, it } from "vitest";
import { migrateBefore, migrateThrough } from "../support/database/earlier-version.ts";
import { scratchDatabase, type ScratchDatabase } from "../support/database/scratch-database.ts";

const reopen = "0032-reopen.sql";
const cancelledAmounts = "0049-cancelled-amounts.sql";
let database: ScratchDatabase;

beforeEach(async () => {
  database = await scratchDatabase("empty");
  await migrateBefore(database, reopen);
});
afterEach(() => database.drop());

/** A student with this tier, and what happened to it: approvals by package, and changes by hand. */
async function insertStudent(name: string, tier: string, history: (["approve", string, string | null] | ["set"])[]) {
  const { client } = database;
  const { rows } = await client.query(
    "insert into accounts (email, password_hash, role, created_at) values ($1, 'x', 'student', now()) returning id",
    [`${name}@example.com`],
  );
  const { id } = rows[0];
  await client.query("insert into profiles (id, email, full_name, subscription_status) values ($1, $2, $3, $4)", [
    id,
    `${name}@example.com`,
    name,
    tier,
  ]);
  for (const [index, [what, pack, before]] of history.entries()) {
    const values = [id, `${name} ${index}`];
    const subject = what === "set" ? id : (await client.query(approved, [...values, pack])).rows[0].id;
    await client.query(
      `insert into audit_log (at, actor_email, action, subject_type, subject_id, details, ip)
       values (now(), 'admin@example.com', $1, 'x', $2, $3, '::1')`,
      [
        what === "set" ? "user.tier" : "payment-request.approve",
        subject,
        what === "set" ? {} : { user_id: id, ...(before && { tier_before: before }) },
      ],
    );
  }
}

const approved = `insert into payment_requests (user_id, payer_email, payer_full_name, idempotency_key, receipt_number, package_type,
    original_usd, discount_percent, amount_usd, consent_version, consented_at, status, created_at, decided_at, decided_by)
  values ($1, 'a@example.com', 'A', $2, $2, $3, 497, 100, 0, '2026-11', now(), 'approved', now(), now(), 'a') returning id`;

// REOPEN-2
it("finds the tier before approvals of earlier versions, and its source", async () => {
  await insertStudent("first", "starter", [["approve", "starter", "unpaid"]]);
  await insertStudent("upgraded", "advanced", [
    ["approve", "starter", "unpaid"],
    ["approve", "advanced", "starter"],
  ]);
  await insertStudent("changed", "starter", [["approve", "starter", "unpaid"], ["set"]]);
  await insertStudent("elsewhere", "advanced", [["approve", "starter", "unpaid"]]);
  await insertStudent("unknown", "starter", [["approve", "starter", null]]);
  await migrateThrough(database, reopen);
  const { rows } = await database.client.query(`
    select idempotency_key as name, tier_before, tier_change = tier_changes as is_present
    from payment_decisions join payment_requests on payment_requests.id = request_id join profiles on profiles.id = user_id
    order by idempotency_key`);
  expect(rows).toEqual([
    { name: "changed 0", tier_before: "unpaid", is_present: false },
    { name: "elsewhere 0", tier_before: "unpaid", is_present: false },
    { name: "first 0", tier_before: "unpaid", is_present: true },
    { name: "unknown 0", tier_before: null, is_present: null },
    { name: "upgraded 0", tier_before: "unpaid", is_present: false },
    { name: "upgraded 1", tier_before: "starter", is_present: true },
  ]);
});

// REOPEN-3, EXPORT-3
it("finds what cancelled receipts of earlier versions had stated as received", async () => {
  await insertStudent("student", "starter", [["approve", "starter", "unpaid"]]);
  await migrateBefore(database, cancelledAmounts);
  await database.client.query(`
    insert into cancelled_receipts (receipt_number, request_id, approved_at, approved_by, cancelled_at, cancelled_by, reason)
      select number, id, now(), 'a', now(), 'a', 'r' from payment_requests, unnest(array['short', 'full', 'unknown']) as number;
    insert into audit_log (at, actor_email, action, subject_type, subject_id, details, ip)
      select now(), 'a', 'payment-request.reopen', 'payment-request', id, before, '::1' from payment_requests, unnest(array[
        '{"before": {"receipt_number": "short", "amount_received": "8000.00"}}',
        '{"before": {"receipt_number": "full", "amount_received": null}}'
      ]::jsonb[]) as before`);
  await migrateThrough(database, cancelledAmounts);
  const { rows } = await database.client.query("select receipt_number, amount_received from cancelled_receipts order by 1");
  expect(rows).toEqual([
    { receipt_number: "full", amount_received: null },
    { receipt_number: "short", amount_received: "8000.00" },
    { receipt_number: "unknown", amount_received: null },
  ]);
});
