import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bip49Key, bip84Addresses, bip84Key } from "../../../../../tests/support/domain/bitcoin-keys.ts";
import { startBitcoinShop, type BitcoinShop } from "../../../../../tests/support/chains/bitcoin-shop.ts";
import { chainEvidenceOf } from "../../../../../tests/support/chains/jobs.ts";
import { pay, setUpWallets, uploadScreenshot, walletForm } from "../../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { partialPayments } from "../../../../../tests/support/payment-requests/partial-payments.ts";

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

/** A request by Bitcoin whose rest is asked for. */
async function askedBitcoin(): Promise<{ buyer: Person; id: string }> {
  const request = await paid();
  await parts.ask(request.id, "0.01");
  return request;
}

// QUOTE-7
it("says of a request to an address of the key that its destination is current", async () => {
  await goOverToKey();
  const { body } = await pay(await student(shop.app));
  expect(body).toMatchObject({ wallet_address: expect.stringMatching(/^bc1q/), destination_current: true });
});

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

  // WALLET-5, QUOTE-9
  it("uses its address up, unless the request is rejected", async () => {
    const { buyer, id } = await paid();
    await goOverToKey();
    await parts.ask(id, "0.01");
    const unused = async () => (await shop.operator.call("GET", "/api/wallet-settings")).body.bitcoin_addresses_unused;
    const before = await unused();
    expect(before).toBeGreaterThan(0);
    await parts.sendRest(buyer, id);
    expect(await unused()).toBe(0);
    await shop.operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "No." });
    expect(await unused()).toBe(before);
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

  it.each<[string, () => Promise<{ buyer: Person; id: string }>, () => Promise<unknown>]>([
    // As the undo of a shop's set-up leaves it.
    [
      "an address nor a key",
      () => askedBitcoin(),
      () => shop.app.sql("update wallet_settings set bitcoin_address = '', bitcoin_xpub = ''"),
    ],
    [
      "an address nor a key of that coin",
      async () => {
        const buyer = await student(shop.app);
        const { id } = (await pay(buyer, { crypto_type: "ethereum" })).body;
        await parts.ask(id, "0.1");
        return { buyer, id };
      },
      () =>
        shop.app.sql("update wallet_settings set ethereum_address = '', bitcoin_address = '', bitcoin_xpub = $1", [bip84Key]),
    ],
    [
      "a bank nor an account",
      () => parts.asked(),
      () => setUpWallets(shop.operator, { thai_bank_name: "", thai_bank_account_number: "" }),
    ],
  ])("is not available while there is neither %s", async (_what, ask, empty) => {
    const { buyer, id } = await ask();
    await empty();
    expect((await parts.mine(buyer)).rest.method).toMatchObject({ available: false, wallet_address: "" });
    expect((await parts.sendRest(buyer, id)).status).toBe(201);
  });
});

/** PART-4, GUARD-4, EVIDENCE-3. */
describe("the rest of a payment whose destination changes while it is asked for", () => {
  const moveTo = (bitcoin_address: string): Promise<unknown> => setUpWallets(shop.operator, { bitcoin_address });
  const evidenceOf = async (id: string): Promise<any> =>
    (await shop.operator.call("GET", `/api/payment-requests/${id}`)).body.evidence.find(
      (one: any) => one.kind === "destination",
    );
  const [thiefs, later] = bip84Addresses;

  it("is refused from a page that displays the former one, and the next page names it", async () => {
    const { buyer, id } = await askedBitcoin();
    const { rest } = await parts.mine(buyer);
    expect(rest).toMatchObject({ method: { wallet_address: walletForm.bitcoin_address }, former_destinations: [] });
    await moveTo(later);
    const refused = await parts.sendRest(buyer, id, { wallet_address: rest.method.wallet_address });
    expect(refused).toMatchObject({ status: 409, body: { code: "rest_destination_changed" } });
    const renewed = (await parts.mine(buyer)).rest;
    expect(renewed).toMatchObject({ method: { wallet_address: later }, former_destinations: [walletForm.bitcoin_address] });
    const sent = await parts.sendRest(buyer, id, { wallet_address: later });
    expect(sent.body.parts).toMatchObject([{ wallet_address: later }]);
  });

  it("is recorded where the student was told to pay, a thief's included, and flagged", async () => {
    const { buyer, id } = await askedBitcoin();
    await moveTo(thiefs);
    await parts.ask(id, "0.01");
    expect((await parts.mine(buyer)).rest.method.wallet_address).toBe(thiefs);
    await setUpWallets(shop.operator);
    const { method, former_destinations } = (await parts.mine(buyer)).rest;
    expect([method.wallet_address, former_destinations]).toEqual([walletForm.bitcoin_address, [thiefs]]);
    expect(await evidenceOf(id)).toMatchObject({ verdict: "current" });
    const claim = { wallet_address: method.wallet_address, paid_wallet_address: thiefs };
    const key = randomUUID();
    const upload_id = await uploadScreenshot(buyer);
    const sent = await parts.sendRest(buyer, id, { upload_id, ...claim }, key);
    expect(sent.body.parts).toMatchObject([{ wallet_address: thiefs }]);
    expect((await parts.sendRest(buyer, id, { upload_id, ...claim }, key)).body).toEqual(sent.body);
    const other = { upload_id, wallet_address: method.wallet_address };
    expect((await parts.sendRest(buyer, id, other, key)).body.code).toBe("idempotency_key_reused");
    expect(await evidenceOf(id)).toMatchObject({ verdict: "not_current", text: expect.stringContaining(thiefs) });
  });

  it("is flagged where it arrived at an address of a key that was replaced", async () => {
    const { app, esplora, operator } = shop;
    const useKey = (bitcoin_xpub: string): Promise<unknown> => setUpWallets(operator, { bitcoin_address: "", bitcoin_xpub });
    const payTo = async (address: string, amount: string): Promise<void> => {
      esplora.pay(address, amount);
      esplora.mine(6, app.clock.now());
      await operator.call("POST", `/api/payment-requests/${id}/check`);
    };
    await useKey(bip84Key);
    const { buyer, id } = await paid();
    const own = (await parts.mine(buyer)).wallet_address;
    await payTo(own, "0.01");
    await parts.ask(id, "0.01");
    await useKey(bip49Key);
    const { method } = (await parts.mine(buyer)).rest;
    await useKey(bip84Key);
    expect(await evidenceOf(id)).toMatchObject({ verdict: "current" });
    await payTo(method.wallet_address, method.amount_crypto);
    await parts.sendRest(buyer, id, { wallet_address: own });
    expect(await chainEvidenceOf(operator, id)).toMatchObject({ verdict: "matched" });
    expect(await evidenceOf(id)).toMatchObject({
      verdict: "not_current",
      text: `The address of a further part, ${method.wallet_address}, is no longer in the wallet settings.`,
    });
    const other = await askedBitcoin();
    const listed: any[] = (await operator.call("GET", "/api/payment-requests?status=pending")).body.items;
    const verdictOf = (one: string): string =>
      listed.find((item) => item.id === one).evidence.find(({ kind }: any) => kind === "destination").verdict;
    expect([verdictOf(id), verdictOf(other.id)]).toEqual(["not_current", "current"]);
    await useKey(bip49Key);
    expect(await evidenceOf(id)).toMatchObject({ text: "The address is no longer in the wallet settings." });
  });

  it("is refused to a destination that the student was never told", async () => {
    const { buyer, id } = await askedBitcoin();
    const refused = await parts.sendRest(buyer, id, { paid_wallet_address: thiefs });
    expect(refused.body.code).toBe("rest_destination_changed");
    expect((await parts.mine(buyer)).parts).toEqual([]);
  });
});
