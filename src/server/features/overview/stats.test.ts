import { existsSync } from "node:fs";
import { rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestApp } from "../../../../tests/support/app.ts";
import { codeFor } from "../../../../tests/support/mails/received.ts";
import { pay } from "../../../../tests/support/payments.ts";
import { student, unverifiedStudent, visitor, withSession, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";
import { totalsJob } from "../totals/service.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => {
  ({ app, operator } = await startShop());
});
afterAll(() => app?.close());

const stats = async (query = "") => (await operator.call("GET", `/api/stats${query}`)).body;
const counts = async () => (await operator.call("GET", "/api/payment-requests/counts")).body;
const addTotals = () => {
  const onError = (what: string, error: unknown): never => expect.unreachable(`${what}: ${String(error)}`);
  return totalsJob({ ...app.deps, onError }).run();
};
const today = (): string => app.clock.now().toISOString().slice(0, 10);

it("a new shop has no figures, without an error", async () => {
  expect(await stats()).toMatchObject({
    pending: { requests: 0, flagged: 0, oldest_at: null },
    typical_approval_seconds: null,
    to: today(),
    revenue: [],
    revenue_usd: "0",
    all_time: { approved: 0, revenue_usd: "0" },
    students: { unpaid: 0, starter: 0, advanced: 0 },
    conversion: { signed_up: 0, verified: 0, submitted: 0, approved: 0 },
    prices_updated_at: { bitcoin: null, ethereum: null },
    mails: { failed: 0, waiting: 0 },
    webhooks: null,
  });
  expect(await counts()).toEqual({ pending: 0, approved: 0, rejected: 0, flagged: 0 });
});

// STATS-2 to STATS-5
it("a purchase is counted at each of its steps, at once", async () => {
  const [ann, bob] = [await student(app), await student(app)];
  await unverifiedStudent(app);
  const first = (await pay(ann, { package_type: "advanced", coupon_code: "LUNCH", crypto_type: "ethereum" })).body;
  app.clock.advance(60);
  const second = (await pay(bob, { crypto_type: "thai_bank" })).body;
  await app.sql("update payment_requests set flagged = (crypto_type = 'ethereum')");
  expect(await counts()).toEqual({ pending: 2, approved: 0, rejected: 0, flagged: 1 });
  expect((await stats()).pending).toMatchObject({ requests: 2, flagged: 1, oldest_at: first.created_at });

  expect((await operator.call("POST", `/api/payment-requests/${first.id}/approve`, {})).status).toBe(200);
  await operator.call("POST", `/api/payment-requests/${second.id}/reject`, { reason: "No." });
  await addTotals();
  expect(await counts()).toEqual({ pending: 0, approved: 1, rejected: 1, flagged: 0 });
  expect(await stats()).toMatchObject({
    pending: { requests: 0, oldest_at: null },
    revenue: [{ day: today(), crypto_type: "ethereum", package_type: "advanced", approved: 1, amount_usd: "299.1" }],
    revenue_usd: "299.1",
    all_time: { approved: 1, revenue_usd: "299.1" },
    students: { unpaid: 2, starter: 0, advanced: 1 },
    conversion: { signed_up: 3, verified: 2, submitted: 2, approved: 1 },
  });
});

// STATS-5
it("each sign-up of an address is counted, and one of them as verified", async () => {
  const before = (await stats()).conversion;
  const email = "again@example.com";
  const signUp = async (password: string): Promise<Person> => {
    const body = { email, password, data: { full_name: "Somchai Student" } };
    const { body: session } = await visitor(app).call("POST", "/auth/v1/signup", body);
    return withSession(app, { id: session.user.id, email, password }, session);
  };
  await signUp("the first fine password");
  const proven = await signUp("the second fine password");
  await signUp("the second fine password");
  await proven.call("POST", "/functions/v1/send-verification-email", { email, fullName: "Somchai Student" });
  await proven.call("POST", "/functions/v1/verify-email", { code: await codeFor(app, email) });
  await signUp("the third fine password");
  await addTotals();
  const counted = { signed_up: before.signed_up + 3, verified: before.verified + 1 };
  expect((await stats()).conversion).toEqual({ ...before, ...counted });
  expect((await operator.call("GET", `/api/users?search=${email}`)).body.items).toHaveLength(1);
});

// STATS-3
it("revenue is added up exactly by the UTC day of the decision", async () => {
  const days = [0, 0, 89, 90].map((ago) => new Date(Date.parse(today()) - ago * 86_400_000));
  for (const [index, at] of days.entries()) {
    await app.sql(
      `insert into payment_requests (payer_email, payer_full_name, package_type, original_usd, discount_percent, amount_usd, crypto_type,
          amount_crypto, wallet_address, screenshot_url, screenshot_object_id, consent_version, consented_at, idempotency_key, created_at,
          status, decided_at, decided_by, receipt_number)
        select payer_email, payer_full_name, 'starter', '497', 0, '0.1', 'bitcoin', '1', 'bc1q', screenshot_url, $3, '1', now(),
          'key', $1, 'approved', $1, 'a', $2 from payment_requests limit 1`,
      [at, `2020-${index}`, await anyObject()],
    );
  }
  const window = await stats();
  expect(window.revenue.filter(({ crypto_type }: { crypto_type: string }) => crypto_type === "bitcoin")).toEqual([
    {
      day: days[2]!.toISOString().slice(0, 10),
      crypto_type: "bitcoin",
      package_type: "starter",
      approved: 1,
      amount_usd: "0.1",
    },
    { day: today(), crypto_type: "bitcoin", package_type: "starter", approved: 2, amount_usd: "0.2" },
  ]);
  expect(window).toMatchObject({ from: days[2]!.toISOString().slice(0, 10), revenue_usd: "299.4" });
  expect(window.all_time).toEqual({ approved: 5, revenue_usd: "299.5" });
  expect(await stats("?days=1")).toMatchObject({ from: today(), revenue_usd: "299.3" });
});

async function anyObject(): Promise<string> {
  const [row] = await app.sql<{ id: string }>(
    `insert into stored_objects (id, bucket, name, filename, content_type, size, created_at)
      values (gen_random_uuid(), 'payment-screenshots', gen_random_uuid(), 'a.png', 'image/png', 1, now()) returning id`,
  );
  return row!.id;
}

it.each(["0", "366", "1.5", "-1", "many", ""])("refuses a window of %s days", async (days) => {
  expect((await operator.call("GET", `/api/stats?days=${days}`)).status).toBe(400);
});

// STATS-7
it("reports what uploads may still use of the disk", async () => {
  const { disk } = await stats();
  expect(disk.free_bytes).toBeGreaterThanOrEqual(0);
  expect(disk.total_bytes).toBeGreaterThan(disk.free_bytes);
});

// STATS-7
it.runIf(existsSync("/proc/self"))("reports the disk of the files where they have one of their own", async () => {
  const folder = join(app.deps.config.files.dataDir, "objects");
  await rename(folder, `${folder}-away`);
  // A file system without room.
  await symlink("/proc", folder);
  expect((await stats()).disk).toEqual({ free_bytes: 0, total_bytes: 0, is_low: true });
  await rm(folder);
  await rename(`${folder}-away`, folder);
});
