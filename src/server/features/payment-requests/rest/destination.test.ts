import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bip84Key } from "../../../../../tests/support/bitcoin-keys.ts";
import { startBitcoinShop, type BitcoinShop } from "../../../../../tests/support/chains/bitcoin-shop.ts";
import { chainEvidenceOf } from "../../../../../tests/support/chains/jobs.ts";
import { pay, setUpWallets } from "../../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { partialPayments } from "../../../../../tests/support/rest.ts";

let shop: BitcoinShop;
let parts: ReturnType<typeof partialPayments>;
beforeAll(async () => {
  shop = await startBitcoinShop();
  parts = partialPayments(shop.app, shop.operator);
});
beforeEach(() => setUpWallets(shop.operator));
afterAll(() => shop?.close());

const goOverToKey = (): Promise<unknown> => setUpWallets(shop.operator, { bitcoin_address: "", bitcoin_xpub: bip84Key });
const holdersOf = (address: string): Promise<any[]> =>
  shop.app.sql("select user_id, held_until from bitcoin_addresses where address = $1", [address]);

async function paid(): Promise<{ buyer: Person; id: string }> {
  const buyer = await student(shop.app);
  const { body } = await pay(buyer);
  return { buyer, id: body.id };
}

/** PART-4, QUOTE-7. */
describe("the rest of a payment once the shop has only a Bitcoin account key", () => {
  it("goes to an address of the key that the request is given once", async () => {
    const { buyer, id } = await paid();
    await goOverToKey();
    const { method } = (await parts.ask(id, "0.01")).body.rest;
    expect(method).toMatchObject({
      available: true,
      amount_crypto: "0.00104444",
      wallet_address: expect.stringMatching(/^bc1q/),
    });
    expect((await parts.mine(buyer)).rest).toMatchObject({ method, destination_changed: true });
    expect(await holdersOf(method.wallet_address)).toMatchObject([{ held_until: new Date("9999-12-31") }]);
    const other = await student(shop.app);
    const quote = await other.call("POST", "/api/quotes", { package_type: "starter" });
    expect(quote.body.methods[0].wallet_address).not.toBe(method.wallet_address);
    const sent = await parts.sendRest(buyer, id);
    expect(sent.body.parts).toMatchObject([{ wallet_address: method.wallet_address }]);
  });

  it("goes to one address where two pages display it first", async () => {
    const { buyer, id } = await paid();
    expect((await parts.ask(id, "0.01")).status).toBe(200);
    await goOverToKey();
    const [one, other] = await Promise.all([parts.mine(buyer), parts.mine(buyer)]);
    expect(one.rest.method).toMatchObject({ available: true });
    expect(other.rest.method).toEqual(one.rest.method);
    expect((await parts.mine(buyer)).rest.method).toEqual(one.rest.method);
  });

  it("is found on the chain without a reference", async () => {
    const { app, esplora, operator } = shop;
    const { id } = await paid();
    await goOverToKey();
    const { method } = (await parts.ask(id, "0.01")).body.rest;
    esplora.pay(method.wallet_address, method.amount_crypto);
    esplora.mine(6, app.clock.now());
    await operator.call("POST", `/api/payment-requests/${id}/check`);
    expect(await chainEvidenceOf(operator, id)).toMatchObject({ details: { amount_received: "0.00104444" } });
  });

  it("is not available while there is neither an address nor a key", async () => {
    const { buyer, id } = await parts.asked();
    await setUpWallets(shop.operator, { thai_bank_name: "", thai_bank_account_number: "" });
    expect((await parts.mine(buyer)).rest.method).toMatchObject({ available: false, wallet_address: "" });
    expect((await parts.sendRest(buyer, id)).status).toBe(201);
  });
});
