import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestApp } from "../../../../tests/support/app.ts";
import { pay } from "../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
let reader: Person;
beforeAll(async () => {
  ({ app, operator } = await startShop());
  reader = await student(app);
});
afterAll(() => app?.close());

const typicalSeconds = async (): Promise<number | null> =>
  (await reader.call("GET", "/api/approval-time")).body.typical_seconds;

/** Decides a new request, submitted so many seconds before the decision. */
async function decideAfter(seconds: number, decision: "approve" | "reject" = "approve"): Promise<void> {
  const { id } = (await pay(await student(app))).body;
  await operator.call("POST", `/api/payment-requests/${id}/${decision}`, decision === "reject" ? { reason: "No." } : {});
  await app.sql("update payment_requests set created_at = decided_at - make_interval(secs => $2) where id = $1", [id, seconds]);
}

it("reports no approval time for fewer than five approvals", async () => {
  expect(await typicalSeconds()).toBeNull();
  for (const hours of [1, 2, 3, 100]) await decideAfter(hours * 3600);
  for (let round = 0; round < 3; round++) await decideAfter(60, "reject");
  expect(await typicalSeconds()).toBeNull();
});

it("reports the median of the approval times", async () => {
  await decideAfter(4 * 3600);
  expect(await typicalSeconds()).toBe(3 * 3600);
});

it("leaves approvals older than 90 days out of the approval time", async () => {
  await app.sql(
    "update payment_requests set created_at = created_at - interval '91 days', decided_at = decided_at - interval '91 days' where status = 'approved'",
  );
  expect(await typicalSeconds()).toBeNull();
});
