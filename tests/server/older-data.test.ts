import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { migrate } from "#server/platform/db/migrate";
import { scratchDatabase } from "../support/scratch-database.ts";

const migrations = resolve(import.meta.dirname, "../../migrations");

/** A request that the first version of the product stored, with a file of its own. */
const request = (n: number, decision: string): string => `
  insert into stored_objects (id, bucket, name, filename, content_type, size, created_at)
    values ('00000000-0000-4000-8000-00000000000${n}', 'payment-screenshots', '${n}', 'a.png', 'image/png', 1, now());
  insert into payment_requests (payer_email, payer_full_name, package_type, original_usd, discount_percent, amount_usd,
    amount_crypto, crypto_type, wallet_address, screenshot_url, screenshot_object_id, consent_version, idempotency_key, created_at,
    status, decided_at, decided_by, rejection_reason)
    values ('payer${n}@example.com', 'P', 'starter', 497, 0, 497, 1, 'bitcoin', 'bc1q', '${n}',
      '00000000-0000-4000-8000-00000000000${n}', '1', '${n}', '2025-12-31 10:00Z', ${decision});`;

it("approvals from before there were receipts get their numbers in the order and year of the approval", async () => {
  const database = await scratchDatabase("empty");
  const folder = await mkdtemp(join(tmpdir(), "pipwright-older-"));
  try {
    await cp(migrations, folder, { recursive: true, filter: (source) => !/\/(000[6-9]|00[1-9]\d)-[^/]*$/.test(source) });
    await migrate(database.connection, folder);
    await database.client.query(`
      ${request(1, "'approved', '2026-02-01 10:00Z', 'a', null")}
      ${request(2, "'approved', '2025-12-31 23:30Z', 'a', null")}
      ${request(3, "'rejected', '2026-01-15 10:00Z', 'a', 'no'")}
      ${request(4, "'approved', '2026-01-01 00:30Z', 'a', null")}
      ${request(5, "'pending', null, null, null")}`);
    await migrate(database.connection, migrations);
    const { rows } = await database.client.query(
      "select receipt_number, consented_at = created_at as consented from payment_requests order by payer_email",
    );
    expect(rows.map((row) => row.receipt_number)).toEqual(["2026-00002", "2025-00001", null, "2026-00001", null]);
    expect(rows.every((row) => row.consented === true)).toBe(true);
    const counters = await database.client.query("select year, last from receipt_counters order by year");
    expect(counters.rows).toEqual([
      { year: 2025, last: 1 },
      { year: 2026, last: 2 },
    ]);
  } finally {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
});
