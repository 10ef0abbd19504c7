import { afterEach, beforeEach, expect, it } from "vitest";
import { migrateBefore, migrateThrough } from "../support/database/earlier-version.ts";
import { scratchDatabase, type ScratchDatabase } from "../support/database/scratch-database.ts";

const disputes = "0023-disputes.sql";
const notUnique = "0022b-references-not-unique.sql";
let database: ScratchDatabase;

beforeEach(async () => {
  database = await scratchDatabase("empty");
  await migrateBefore(database, disputes);
});
afterEach(() => database.drop());

/** The columns that a status needs. */
const decisions = {
  pending: "null, null, null, null",
  rejected: "'r', now(), 'a', null",
  approved: "null, now(), 'a', 'R-' || $3",
};

async function insert(method: string, status: keyof typeof decisions, reference: string, index: number): Promise<void> {
  await database.client.query(
    `insert into payment_requests (payer_email, payer_full_name, package_type, original_usd, discount_percent, amount_usd,
       amount_crypto, crypto_type, wallet_address, screenshot_url, screenshot_object_id, reference, consent_version, consented_at,
       idempotency_key, status, created_at, rejection_reason, decided_at, decided_by, receipt_number)
     select 'a@example.com', 'A', 'starter', 497, 0, 497, 1, $1, 'to', 'u', id, $2, '2026-11', now(), $3, '${status}', now(),
       ${decisions[status]} from stored_objects where name = $3`,
    [method, reference, String(index)],
  );
}

/** PAY-4. */
it("brings stored bank references into one form, and keeps approved ones apart", async () => {
  const stored = [
    ["thai_bank", "pending", "KBANK-2026.1", "KBANK20261"],
    ["thai_bank", "rejected", "KBANK-2026-1", "KBANK20261"],
    ["thai_bank", "pending", "KTB/55.12", "KTB5512"],
    ["thai_bank", "pending", "KTB-55-12", "KTB5512"],
    ["thai_bank", "pending", "BAY.31-7", "BAY317"],
    ["thai_bank", "approved", "BAY-31-7", "BAY317"],
    ["thai_bank", "approved", "SCB.77-1", "SCB771"],
    ["thai_bank", "approved", "SCB.7-71", "SCB.7-71"],
    ["thai_bank", "approved", "BBL.900", "BBL.900"],
    ["thai_bank", "approved", "BBL900", "BBL900"],
    ["thai_bank", "approved", "....", "...."],
    ["thai_bank", "rejected", "1.-2", "1.-2"],
    ["bitcoin", "approved", "ab".repeat(32), "ab".repeat(32)],
    ["ethereum", "pending", `0x${"cd".repeat(32)}`, `0x${"cd".repeat(32)}`],
  ] as const;
  for (const [index] of stored.entries()) {
    await database.client.query(
      `insert into stored_objects (id, bucket, name, filename, content_type, size, created_at)
         values (gen_random_uuid(), 'payment-screenshots', $1, 'a.png', 'image/png', 1, now())`,
      [String(index)],
    );
  }
  for (const [index, [method, status, reference]] of stored.entries()) await insert(method, status, reference, index);

  expect(await migrateThrough(database, disputes)).toEqual([disputes]);
  const { rows } = await database.client.query<{ reference: string }>(
    "select reference from payment_requests order by idempotency_key::integer",
  );
  expect(rows.map(({ reference }) => reference)).toEqual(stored.map(([, , , form]) => form));
});

it("changes nothing in a database that has the disputes already", async () => {
  await migrateThrough(database, disputes);
  await database.client.query("delete from schema_migrations where name = $1", [notUnique]);
  expect(await migrateThrough(database, disputes)).toEqual([notUnique]);
  const { rows } = await database.client.query("select to_regclass('payment_requests_reference_key') as key");
  expect(rows).toEqual([{ key: null }]);
});
