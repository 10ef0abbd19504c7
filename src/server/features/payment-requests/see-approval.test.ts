import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestApp } from "../../../../tests/support/app.ts";
import { pay } from "../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

const see = (someone: Person, id: string) => someone.call("POST", `/api/payment-requests/${id}/seen`);
const mine = async (someone: Person) => (await someone.call("GET", "/api/payment-requests/mine")).body.items[0];

// JOURNEY-4
it("remembers when the student first saw the approval", async () => {
  const buyer = await student(app);
  const { id } = (await pay(buyer)).body;
  expect(await see(buyer, id)).toMatchObject({ status: 404, body: { code: "payment_request_not_found" } });
  await operator.call("POST", `/api/payment-requests/${id}/approve`);
  expect((await mine(buyer)).approval_seen_at).toBeNull();
  const other = await student(app);
  await operator.call("POST", `/api/payment-requests/${(await pay(other)).body.id}/approve`);

  expect(await see(buyer, id)).toMatchObject({ status: 200, body: { seen: true } });
  const { approval_seen_at } = await mine(buyer);
  expect(approval_seen_at).toBe(app.clock.now().toISOString());
  app.clock.advance(60);
  const version = () => app.sql("select xmin::text from payment_requests where id = $1", [id]);
  const before = await version();
  expect((await see(buyer, id)).status).toBe(200);
  // Nothing is written, so that no page of the admin reloads.
  expect(await version()).toEqual(before);
  expect((await mine(buyer)).approval_seen_at).toBe(approval_seen_at);
  expect((await mine(other)).approval_seen_at).toBeNull();
});

it("takes the approval of a request from before the column for unseen", async () => {
  const buyer = await student(app);
  const { id } = (await pay(buyer)).body;
  // As migration 0014 left it.
  await app.sql("update payment_requests set approval_seen_at = now() where id = $1", [id]);
  await operator.call("POST", `/api/payment-requests/${id}/approve`);
  expect((await mine(buyer)).approval_seen_at).toBeNull();
});

it("lets nobody else mark an approval as seen", async () => {
  const buyer = await student(app);
  const { id } = (await pay(buyer)).body;
  await operator.call("POST", `/api/payment-requests/${id}/approve`);
  expect((await see(await student(app), id)).status).toBe(404);
  expect((await see(operator, id)).status).toBe(403);
  expect((await mine(buyer)).approval_seen_at).toBeNull();
});
