// Over 250 lines: what may happen to requests and students, in SQL, and the recount that totals are compared with.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { addChanges } from "./job.ts";
import {
  couponTotalParts,
  findAllPaymentTotals,
  findAllRevenueDays,
  findAllStudentTotals,
  findAllTierTotals,
  addStudentChanges,
} from "./queries.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

const anyTime = fc.date({ min: new Date("2025-12-30T22:00:00Z"), max: new Date("2026-01-02T02:00:00Z"), noInvalidDate: true });
const nth = fc.nat(1000);
/** What may happen to the students and requests there are; `of` chooses one. */
const operation = fc.oneof(
  fc.record({ kind: fc.constant("sign up" as const), at: anyTime }),
  fc.record({ kind: fc.constantFrom("verify" as const, "leave" as const), of: nth }),
  fc.record({ kind: fc.constant("tier" as const), of: nth, tier: fc.constantFrom("unpaid", "starter", "advanced") }),
  fc.record({
    kind: fc.constant("submit" as const),
    of: nth,
    package: fc.constantFrom("starter", "advanced"),
    method: fc.constantFrom("bitcoin", "ethereum", "thai_bank", null),
    usd: fc.constantFrom("497", "299.1", "0.1", "0.333333333333"),
    coupon: fc.constantFrom("LUNCH", "FRIEND", null),
    at: anyTime,
  }),
  fc.record({ kind: fc.constantFrom("approve" as const, "reject" as const), of: nth, at: anyTime }),
  fc.record({ kind: fc.constantFrom("reopen" as const, "flag" as const, "unflag" as const, "remove" as const), of: nth }),
  fc.constant({ kind: "add changes" as const }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

const student =
  "(select id from accounts where role = 'student' order by id offset $1 % greatest((select count(*) from accounts where role = 'student'), 1) limit 1)";
const request =
  "(select id from payment_requests order by id offset $1 % greatest((select count(*) from payment_requests), 1) limit 1)";
let receipts = 0;

async function perform(done: Operation): Promise<unknown> {
  switch (done.kind) {
    case "sign up": {
      const [id, email] = [randomUUID(), `${randomUUID()}@example.com`];
      return app.sql(
        `with account as (insert into accounts (id, email, password_hash, created_at) values ($1, $2, '-', $3))
          insert into profiles (id, email, full_name) values ($1, $2, 'P')`,
        [id, email, done.at],
      );
    }
    case "verify":
      return app.sql(`update accounts set email_verified_at = now() where id = ${student}`, [done.of]);
    case "leave":
      return app.sql(`delete from accounts where id = ${student}`, [done.of]);
    case "tier":
      return app.sql(`update profiles set subscription_status = $2 where id = ${student}`, [done.of, done.tier]);
    case "submit":
      return submit(done);
    case "approve":
      return app.sql(
        `update payment_requests set status = 'approved', flagged = false, decided_at = $2, decided_by = 'a', receipt_number = $3
          where id = ${request} and status = 'pending'`,
        [done.of, done.at, String(++receipts)],
      );
    case "reject":
      return app.sql(
        `update payment_requests set status = 'rejected', flagged = false, decided_at = $2, decided_by = 'a', rejection_reason = 'No'
          where id = ${request} and status = 'pending'`,
        [done.of, done.at],
      );
    case "reopen":
      return app.sql(
        `update payment_requests set status = 'pending', decided_at = null, decided_by = null, rejection_reason = null,
          receipt_number = null where id = ${request}`,
        [done.of],
      );
    case "flag":
    case "unflag":
      return app.sql(`update payment_requests set flagged = $2 where id = ${request} and status = 'pending'`, [
        done.of,
        done.kind === "flag",
      ]);
    case "remove":
      return app.sql(`delete from payment_requests where id = ${request}`, [done.of]);
    case "add changes":
      return addChanges(app.deps.db);
  }
}

type Submission = Omit<Extract<Operation, { kind: "submit" }>, "kind" | "of"> & { of: number | string };

/** `payer` is an expression of SQL for an account's id, by `$1`. */
async function submit({ of, package: packageType, method, usd, coupon, at }: Submission, payer = student): Promise<unknown> {
  const object = randomUUID();
  await app.sql(
    `insert into stored_objects (id, bucket, name, filename, content_type, size, created_at)
      values ($1, 'payment-screenshots', $2, 'a.png', 'image/png', 1, now())`,
    [object, object],
  );
  const paid = method === null ? [null, null, null, null, null] : [method, "1", "bc1q", "a.png", object];
  return app.sql(
    `insert into payment_requests (user_id, payer_email, payer_full_name, package_type, original_usd, discount_percent, amount_usd,
        crypto_type, amount_crypto, wallet_address, screenshot_url, screenshot_object_id, consent_version, consented_at,
        idempotency_key, created_at, coupon_code)
      values (${payer}, 'p@example.com', 'P', $2, '997', 0, $3, $4, $5, $6, $7, $8, '1', now(), $9, $10, $11)`,
    [of, packageType, method === null ? "0" : usd, ...paid, object, at, coupon],
  );
}

const recounted = {
  payments: `select status, coalesce(crypto_type, 'none') as method, package_type, flagged, count(*)::integer as requests,
    trim_scale(sum(amount_usd))::text as amount_usd from payment_requests group by 1, 2, 3, 4`,
  revenue: `select (decided_at at time zone 'UTC')::date::text as day, coalesce(crypto_type, 'none') as method, package_type,
    count(*)::integer as requests, trim_scale(sum(amount_usd))::text as amount_usd
    from payment_requests where status = 'approved' group by 1, 2, 3`,
  coupons: `select coupon_code as code, status, count(*)::integer as requests, trim_scale(sum(amount_usd))::text as amount_usd
    from payment_requests where coupon_code is not null group by 1, 2`,
  tiers: `select subscription_status as tier, count(*)::integer as students from profiles
    where id not in (select id from accounts where role = 'admin') group by 1`,
  steps: `select step, count(*)::integer as students from (
    select case when exists (select from payment_requests where user_id = accounts.id and status = 'approved') then 3
      when exists (select from payment_requests where user_id = accounts.id) then 2
      when email_verified_at is not null then 1 else 0 end as step
    from accounts where role = 'student') as students group by 1`,
};

const byText = (rows: object[]): string[] => rows.map((row) => JSON.stringify(row, Object.keys(row).toSorted())).toSorted();
const trimmed = <Row extends { amount_usd: string }>(rows: Row[]): Row[] =>
  rows.map((row) => ({ ...row, amount_usd: row.amount_usd.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "") }));

async function findCouponTotals(): Promise<{ amount_usd: string }[]> {
  const sums = sql`select code, status, sum(requests)::integer as requests, sum(amount_usd) as amount_usd`;
  const { rows } = await app.deps.db.execute<{ amount_usd: string }>(
    sql`${sums} from ${couponTotalParts} as parts group by code, status having sum(requests) <> 0`,
  );
  return rows;
}

let hasSeenRevenue = false;

async function expectTotals(): Promise<void> {
  const { db } = app.deps;
  expect(byText(trimmed(await findAllPaymentTotals(db)))).toEqual(byText(await app.sql(recounted.payments)));
  const revenue = trimmed(await findAllRevenueDays(db, "2025-01-01", "2027-01-01"));
  expect(byText(revenue)).toEqual(byText(await app.sql(recounted.revenue)));
  hasSeenRevenue ||= revenue.length > 0;
  expect(byText(trimmed(await findCouponTotals()))).toEqual(byText(await app.sql(recounted.coupons)));
  const tiers = (await findAllTierTotals(db)).filter(({ students }) => students !== 0);
  expect(byText(tiers)).toEqual(byText(await app.sql(recounted.tiers)));
}

async function totals(): Promise<unknown> {
  const { db } = app.deps;
  const steps = await app.sql("select account_id, joined_on::text, step from student_steps order by 1");
  return [
    byText(trimmed(await findAllPaymentTotals(db))),
    byText(trimmed(await findAllRevenueDays(db, "2025-01-01", "2027-01-01"))),
    byText(trimmed(await findCouponTotals())),
    steps,
  ];
}

// STATS-1 to STATS-4
it("totals equal a recount after any concurrent changes", async () => {
  const batches = fc.array(fc.array(operation, { minLength: 1, maxLength: 6 }), { minLength: 4, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(batches, async ([first = [], ...others]) => {
      // Refused ones, such as a second pending request for a package, change nothing.
      for (const batch of others) await Promise.allSettled(batch.map(perform));
      await expectTotals();
      await Promise.allSettled([addChanges(app.deps.db), addChanges(app.deps.db), ...first.map(perform)]);
      await expectTotals();
      await addChanges(app.deps.db);
      await expectTotals();
      expect(byText(await app.sql("select step, count(*)::integer as students from student_steps group by 1"))).toEqual(
        byText(await app.sql(recounted.steps)),
      );
    }),
    { numRuns: 15 },
  );
  const open = ["payment_total_changes", "tier_total_changes", "student_changes"].map((table) => `select from ${table}`);
  expect(await app.sql(open.join(" union all "))).toEqual([]);
  expect(hasSeenRevenue).toBe(true);
});

// STATS-5
it("a student counts once, at the step reached, also after the account is deleted", async () => {
  const counted = (): Promise<unknown> => findAllStudentTotals(app.deps.db, "2024-05-01", "2024-05-01");
  const [id, email] = [randomUUID(), `${randomUUID()}@example.com`];
  await app.sql("insert into accounts (id, email, password_hash, created_at) values ($1, $2, '-', '2024-05-01T23:59Z')", [
    id,
    email,
  ]);
  await addChanges(app.deps.db);
  expect(await counted()).toEqual([{ step: 0, students: 1 }]);
  await app.sql("update accounts set email_verified_at = now() where id = $1", [id]);
  await addChanges(app.deps.db);
  expect(
    await app.sql("select step, students::integer from student_totals where joined_on = '2024-05-01' order by step"),
  ).toEqual([
    { step: 0, students: 0 },
    { step: 1, students: 1 },
  ]);
  await app.sql("delete from accounts where id = $1", [id]);
  await addChanges(app.deps.db);
  expect(await app.sql("select from student_steps where account_id = $1", [id])).toEqual([]);
  expect(await counted()).toContainEqual({ step: 1, students: 1 });
});

// STATS-5
it("a student deleted before the job counted them is counted at the step reached", async () => {
  const counted = (): Promise<unknown> => findAllStudentTotals(app.deps.db, "2024-06-01", "2024-06-01");
  const signUp = async (verifiedAt: string | null): Promise<string> => {
    const [account] = await app.sql<{ id: string }>(
      `insert into accounts (email, password_hash, created_at, email_verified_at)
        values (gen_random_uuid() || '@example.com', '-', '2024-06-01T00:00Z', $1) returning id`,
      [verifiedAt],
    );
    return account!.id;
  };
  const leave = (id: string) => app.sql("delete from accounts where id = $1", [id]);
  await leave(await signUp("2024-06-01T00:01Z"));
  const buyer = await signUp("2024-06-01T00:01Z");
  await addChanges(app.deps.db);
  expect(await counted()).toEqual([{ step: 1, students: 2 }]);
  await submit(
    { of: buyer, package: "starter", method: null, usd: "497", coupon: null, at: new Date("2024-06-01T00:02Z") },
    "$1",
  );
  await leave(buyer);
  // In pieces, of which the first know no step of who is gone.
  while ((await transaction(app.deps.db, (tx) => addStudentChanges(tx, 1))) > 0);
  expect(await counted()).toEqual(
    expect.arrayContaining([
      { step: 1, students: 1 },
      { step: 2, students: 1 },
    ]),
  );
  expect(await app.sql("select from student_steps where account_id = $1", [buyer])).toEqual([]);
});

// STATS-5
it("a student who becomes the admin counts no more, and a former admin does", async () => {
  const counted = async () =>
    (await findAllStudentTotals(app.deps.db, "2024-07-01", "2024-07-01")).filter(({ students }) => students !== 0);
  const [owner] = await app.sql<{ id: string }>("select id from accounts where role = 'admin'");
  const [chosen, other] = await app.sql<{ id: string }>(
    `insert into accounts (email, password_hash, created_at, email_verified_at)
      select gen_random_uuid() || '@example.com', '-', '2024-07-01T00:00Z', verified_at
      from (values (null), (now())) as times (verified_at) returning id`,
  );
  const setRole = (id: string, role: string) => app.sql("update accounts set role = $2 where id = $1", [id, role]);
  await addChanges(app.deps.db);
  expect(await counted()).toHaveLength(2);
  await setRole(owner!.id, "student");
  await setRole(chosen!.id, "admin");
  // As a process of before 0078 does, which takes the note and leaves its account counted.
  await app.sql("delete from student_changes where account_id = $1", [chosen!.id]);
  await addChanges(app.deps.db);
  expect(await counted()).toEqual([{ step: 1, students: 1 }]);
  expect(await app.sql("select account_id from student_steps where account_id = any($1)", [[owner!.id, chosen!.id]])).toEqual([
    { account_id: owner!.id },
  ]);
  await setRole(chosen!.id, "student");
  await setRole(owner!.id, "admin");
  await addChanges(app.deps.db);
  expect(await counted()).toHaveLength(2);
  expect(await app.sql("select from student_steps where account_id = $1", [owner!.id])).toEqual([]);
  await app.sql("delete from accounts where id = any($1)", [[chosen!.id, other!.id]]);
});

it("an earlier version's requests and students are counted by the migration", async () => {
  const names = ["0036-totals.sql", "0040-coupon-totals.sql"];
  const migrations = await Promise.all(names.map((name) => readFile(join("migrations", name), "utf8")));
  const fills = migrations.join("\n").match(/^insert into \w+(?! \()[^;]*;/gm) ?? [];
  expect(fills).toHaveLength(6);
  await addChanges(app.deps.db);
  const before = await totals();
  await app.sql("truncate payment_totals, coupon_totals, revenue_days, tier_totals, student_steps");
  await app.sql("delete from student_totals");
  for (const fill of fills) await app.sql(fill);
  expect(await totals()).toEqual(before);
});
