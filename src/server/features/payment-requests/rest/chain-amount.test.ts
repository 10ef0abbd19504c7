import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { startBitcoinShop, type BitcoinShop } from "../../../../../tests/support/chains/bitcoin-shop.ts";
import type { Esplora } from "../../../../../tests/support/chains/esplora.ts";
import { pay, walletForm } from "../../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";

let shop: BitcoinShop;
let app: TestApp;
let operator: Person;
let esplora: Esplora;
beforeAll(async () => {
  shop = await startBitcoinShop();
  ({ app, operator, esplora } = shop);
});
afterAll(() => shop?.close());

// PART-1
it.each([
  ["all that was due", "0.01104444", 3, {}, "0.01104444"],
  ["less", "0.01000000", 3, {}, "0.01000000"],
  ["more", "0.02000000", 3, {}, "0.02000000"],
  ["what the admin states instead", "0.01000000", 3, { amount_received: "0.011" }, "0.01100000"],
  ["nothing that is not confirmed", "0.01104444", 0, {}, null],
])("approves with what the chain has: %s", async (_what, paid, blocks, body, amount_received) => {
  const reference = esplora.pay(walletForm.bitcoin_address, paid);
  const { id } = (await pay(await student(app), { extra: { reference } })).body;
  if (blocks > 0) esplora.mine(blocks, app.clock.now());
  await operator.call("POST", `/api/payment-requests/${id}/check`);
  const approved = await operator.call("POST", `/api/payment-requests/${id}/approve`, body);
  expect(approved.body).toMatchObject({ status: "approved", amount_received });
});
