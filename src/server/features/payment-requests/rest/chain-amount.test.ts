import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { startBitcoinShop, type BitcoinShop } from "../../../../../tests/support/chains/bitcoin-shop.ts";
import type { Esplora } from "../../../../../tests/support/chains/esplora.ts";
import { pay, walletForm } from "../../../../../tests/support/payments.ts";
import { partialPayments } from "../../../../../tests/support/payment-requests/partial-payments.ts";
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

// CHAIN-6
it("approves with what the chain had confirmed before its service failed", async () => {
  const reference = esplora.pay(walletForm.bitcoin_address, "0.01000000");
  const { id } = (await pay(await student(app), { extra: { reference } })).body;
  esplora.mine(3, app.clock.now());
  const check = (): Promise<any> => operator.call("POST", `/api/payment-requests/${id}/check`);
  await check();
  esplora.instead = (incoming) => incoming.socket.destroy();
  expect((await check()).body).toMatchObject({ flagged: true, evidence: [{ verdict: "unavailable" }, {}, {}, {}] });
  const approved = await operator.call("POST", `/api/payment-requests/${id}/approve`);
  esplora.instead = undefined;
  expect(approved.body).toMatchObject({ status: "approved", amount_received: "0.01000000" });
});

it.each([
  ["leaves it open what has arrived", {}, null],
  ["keeps what the admin states", { amount_received: "0.011" }, "0.01100000"],
])("an approval of a payment in two parts %s", async (_what, body, amount_received) => {
  const parts = partialPayments(app, operator);
  const buyer = await student(app);
  const reference = esplora.pay(walletForm.bitcoin_address, "0.01000000");
  const { id } = (await pay(buyer, { extra: { reference } })).body;
  esplora.mine(3, app.clock.now());
  await operator.call("POST", `/api/payment-requests/${id}/check`);
  await parts.ask(id, "0.01");
  expect((await parts.sendRest(buyer, id)).status).toBe(201);
  expect((await parts.approve(id, body)).body).toMatchObject({ status: "approved", amount_received });
});
