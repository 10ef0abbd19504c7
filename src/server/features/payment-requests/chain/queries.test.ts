import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { pay } from "../../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { findNeverLookedUp } from "./queries.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

const request = async (crypto_type: "bitcoin" | "ethereum"): Promise<string> =>
  (await pay(await student(app), { crypto_type })).body.id;

// CHAIN-2
it("finds the oldest pending request of a coin that was never looked up", async () => {
  const [ether, decided, newer, older] = [
    await request("ethereum"),
    await request("bitcoin"),
    await request("bitcoin"),
    await request("bitcoin"),
  ];
  await operator.call("POST", `/api/payment-requests/${decided}/approve`);
  await app.sql("update payment_requests set created_at = created_at - interval '1 minute' where id = $1", [older]);
  expect(await findNeverLookedUp(app.deps.db, "bitcoin")).toBe(older);
  expect(await findNeverLookedUp(app.deps.db, "ethereum")).toBe(ether);
  for (const id of [older, newer]) {
    await app.sql(
      "insert into chain_lookups select id, 'bitcoin', wallet_address, created_at, null, null, 0, 1, null from payment_requests where id = $1",
      [id],
    );
  }
  expect(await findNeverLookedUp(app.deps.db, "bitcoin")).toBeUndefined();
});
