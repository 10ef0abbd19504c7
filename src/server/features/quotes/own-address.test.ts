// Over 250 lines: each way in which an address is given, kept or skipped, over one shop.
import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { receiveChain } from "#domain/payment-methods/bitcoin/derive";
import { extendedKeyFaults } from "#domain/payment-methods/bitcoin/texts";
import { secondsAfter } from "#server/platform/clock";
import type { TestApp } from "../../../../tests/support/app.ts";
import { behindTransaction } from "../../../../tests/support/database/behind-transaction.ts";
import { bip49Key, bip84Addresses, bip84Key } from "../../../../tests/support/domain/bitcoin-keys.ts";
import { pay, setUpWallets, uploadScreenshot, walletForm } from "../../../../tests/support/payments.ts";
import { student, type Answer, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());
beforeEach(async () => {
  await app.sql("truncate bitcoin_keys, payment_requests cascade");
  await setUpWallets(operator, { bitcoin_address: "", bitcoin_xpub: bip84Key });
  // No single address of a former test is one of the last 30 days.
  await app.sql("delete from guarded_changes");
});

/** Ends all quotes: tokens would not outlive a clock that is moved half an hour. */
async function endQuotes(): Promise<void> {
  await app.sql("update quotes set created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour'");
  await app.sql("update bitcoin_addresses set held_until = held_until - interval '1 hour'");
}
const ask = async (buyer: Person, more = {}) =>
  (await buyer.call("POST", "/api/quotes", { package_type: "starter", ...more })).body;
const addressOf = (quote: { methods: { wallet_address: string }[] }): string => quote.methods[0]!.wallet_address;
const newAddress = async (buyer: Person, more = {}): Promise<string> => addressOf(await ask(buyer, more));
const addressAt = (index: number): string => receiveChain(bip84Key).addressAt(index);

// QUOTE-7
describe("an address of its own for every quote", () => {
  it("quotes two students the first two addresses of BIP 84's vectors", async () => {
    const quotes = [await ask(await student(app)), await ask(await student(app))];
    expect(quotes.map(addressOf)).toEqual(bip84Addresses.slice(0, 2));
    for (const { methods } of quotes) {
      expect(methods[0]).toMatchObject({ crypto_type: "bitcoin", available: true, amount_crypto: "0.01104444" });
    }
  });

  it("gives many quotes at once as many different addresses, without a gap", async () => {
    const buyers = await Promise.all([student(app), student(app), student(app)]);
    const addresses = await Promise.all(Array.from({ length: 60 }, (_none, index) => newAddress(buyers[index % 3]!)));
    expect(addresses.toSorted()).toEqual(Array.from({ length: 60 }, (_none, index) => addressAt(index)).toSorted());
  });

  it("repeats no address after a process ended between counting and storing", async () => {
    const buyer = await student(app);
    await newAddress(buyer);
    // The number 1 was counted, and nothing stored.
    await app.sql("update bitcoin_keys set next_index = 2");
    expect(await newAddress(buyer)).toBe(addressAt(2));
  });

  // COUPON-7
  it("counts none for a coupon that is used up", async () => {
    await operator.call("POST", "/api/coupons", { code: "ONCE", discount_starter: "50", discount_advanced: "50", max_uses: 1 });
    await pay(await student(app), { coupon_code: "ONCE" });
    const before = await app.sql("select next_index from bitcoin_keys");
    expect(await ask(await student(app), { coupon_code: "ONCE" })).toMatchObject({ code: "coupon_used_up" });
    expect(await app.sql("select next_index from bitcoin_keys")).toEqual(before);
  });

  it("counts on when the owner returns to a former key", async () => {
    const buyer = await student(app);
    await newAddress(buyer);
    await setUpWallets(operator, { bitcoin_xpub: bip49Key });
    expect(await newAddress(buyer)).toBe("37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf");
    await setUpWallets(operator, { bitcoin_xpub: bip84Key });
    expect(await newAddress(buyer)).toBe(addressAt(1));
  });

  it("is given to no account that is deleted meanwhile", async () => {
    const leaver = await student(app);
    const deletion = { text: "delete from accounts where id = $1", values: [leaver.id] };
    expect((await behindTransaction(app, deletion, () => ask(leaver))).code).toBe("not_signed_in");
  });

  it("is neither the settings' own nor one that a payment request has", async () => {
    await setUpWallets(operator, { bitcoin_address: addressAt(0) });
    await pay(await student(app));
    await setUpWallets(operator, { bitcoin_address: addressAt(2), bitcoin_xpub: bip84Key });
    expect(await newAddress(await student(app))).toBe(addressAt(1));
    expect(await newAddress(await student(app))).toBe(addressAt(3));
  });

  it("is none that was the settings' own before, where students may still pay", async () => {
    await setUpWallets(operator, { bitcoin_address: addressAt(0) });
    expect(await newAddress(await student(app))).toBe(addressAt(0));
    await setUpWallets(operator, { bitcoin_address: "", bitcoin_xpub: bip84Key });
    expect(await newAddress(await student(app))).toBe(addressAt(1));
  });

  it("copies the address into the payment request", async () => {
    const buyer = await student(app);
    const body = {
      quote_id: (await ask(buyer)).id,
      crypto_type: "bitcoin",
      upload_id: await uploadScreenshot(buyer),
      consent: true,
    };
    const submit = (): Promise<Answer> =>
      buyer.call("POST", "/api/payment-requests", body, { "idempotency-key": body.quote_id });
    const first = (await submit()).body;
    expect(first).toMatchObject({ wallet_address: bip84Addresses[0], destination_current: true });
    // A retry is read anew.
    expect((await submit()).body).toEqual(first);
  });
});

describe("an address that is used again", () => {
  it("stays with a student whose quote ended unused", async () => {
    const buyer = await student(app);
    const first = await newAddress(buyer);
    await endQuotes();
    expect(await newAddress(buyer)).toBe(first);
    expect(await newAddress(buyer)).not.toBe(first);
  });

  it.each([
    [30, true],
    [30.1, false],
  ])("stays with a student whose quote ends in %d s: %s", async (seconds, isKept) => {
    const buyer = await student(app);
    const first = await newAddress(buyer);
    await app.sql("update bitcoin_addresses set held_until = $1", [secondsAfter(app.clock.now(), seconds)]);
    expect((await newAddress(buyer)) === first).toBe(isKept);
  });

  it("is taken over from the quote that a new one replaces", async () => {
    const buyer = await student(app);
    const quote = await ask(buyer);
    expect(await newAddress(buyer, { coupon_code: "LUNCH", replaces: quote.id })).toBe(addressOf(quote));
  });

  it("is not given again while it is the settings' own", async () => {
    const buyer = await student(app);
    const quote = await ask(buyer);
    await setUpWallets(operator, { bitcoin_address: addressOf(quote), bitcoin_xpub: bip84Key });
    expect(await newAddress(buyer, { replaces: quote.id })).toBe(addressAt(1));
  });

  it("is never given again once another student was told to pay a rest there", async () => {
    const [buyer, other] = [await student(app), await student(app)];
    const quote = await ask(buyer);
    const { id } = (await pay(other)).body;
    await setUpWallets(operator, { bitcoin_address: addressOf(quote), bitcoin_xpub: bip49Key });
    await operator.call("POST", `/api/payment-requests/${id}/ask-rest`, { amount_received: "0.01" });
    await setUpWallets(operator, { bitcoin_address: "", bitcoin_xpub: bip84Key });
    expect(await newAddress(buyer, { replaces: quote.id })).toBe(addressAt(2));
  });

  it("is that of the replaced quote, also where an earlier one is free again", async () => {
    const buyer = await student(app);
    await ask(buyer);
    const second = await ask(buyer);
    await endQuotes();
    expect(await newAddress(buyer, { replaces: second.id })).toBe(addressOf(second));
  });

  it("is never taken over from another student or package", async () => {
    const [buyer, other] = [await student(app), await student(app)];
    const quote = await ask(buyer);
    await endQuotes();
    const addresses = [
      await newAddress(other, { replaces: quote.id }),
      await newAddress(buyer, { package_type: "advanced", replaces: quote.id }),
    ];
    expect(addresses).toEqual([addressAt(1), addressAt(2)]);
  });

  it("is never given again once a payment request has it", async () => {
    const buyer = await student(app);
    const { id } = (await pay(buyer)).body;
    await operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "Nothing arrived." });
    await endQuotes();
    expect(await newAddress(buyer)).toBe(addressAt(1));
  });

  it("is never given again once a late payer names it", async () => {
    const buyer = await student(app);
    const [first, second] = [await ask(buyer), await ask(buyer)];
    await endQuotes();
    const { body } = await pay(buyer, { extra: { paid_quote_id: second.id } });
    expect([body.wallet_address, body.paid_by_earlier_quote.wallet_address]).toEqual([first, second].map(addressOf));
    await operator.call("POST", `/api/payment-requests/${body.id}/reject`, { reason: "Nothing arrived." });
    await endQuotes();
    expect(await newAddress(buyer)).toBe(addressAt(2));
  });

  it("goes to one of two quotes at once", async () => {
    const buyer = await student(app);
    await newAddress(buyer);
    await endQuotes();
    const addresses = await Promise.all([newAddress(buyer), newAddress(buyer)]);
    expect(addresses.toSorted()).toEqual([addressAt(0), addressAt(1)].toSorted());
  });

  it("is not waited for while another quote takes it", async () => {
    const buyer = await student(app);
    await newAddress(buyer);
    await endQuotes();
    const other = await app.deps.db.$client.connect();
    try {
      await other.query("begin");
      await other.query("select from bitcoin_addresses for update");
      expect(await newAddress(buyer)).toBe(addressAt(1));
    } finally {
      await other.query("rollback");
      other.release();
    }
  });
});

// WALLET-4
describe("whether a derived address is current", () => {
  const currentOf = async (buyer: Person) => {
    const [[own], [reviewed]] = [
      (await buyer.call("GET", "/api/payment-requests/mine")).body.items,
      (await operator.call("GET", `/api/payment-requests?search=${buyer.email}`)).body.items,
    ];
    const evidence = reviewed.evidence.find(({ kind }: { kind: string }) => kind === "destination");
    return [own.destination_current, evidence.verdict];
  };

  it("is so for the present key, and for the address of the settings beside it", async () => {
    const [buyer, other] = [await student(app), await student(app)];
    await pay(buyer);
    expect(await currentOf(buyer)).toEqual([true, "current"]);
    await setUpWallets(operator, { bitcoin_xpub: bip49Key });
    expect(await currentOf(buyer)).toEqual([false, "not_current"]);
    await setUpWallets(operator);
    expect(await currentOf(buyer)).toEqual([false, "not_current"]);
    await pay(other);
    await setUpWallets(operator, { bitcoin_xpub: bip84Key });
    expect(await currentOf(buyer)).toEqual([true, "current"]);
    expect(await currentOf(other)).toEqual([true, "current"]);
  });
});

const unused = async (): Promise<number> => (await operator.call("GET", "/api/wallet-settings")).body.bitcoin_addresses_unused;

// WALLET-5
it("counts the addresses given since the last one that a request has", async () => {
  expect(await unused()).toBe(0);
  const [buyer, other] = [await student(app), await student(app)];
  await ask(buyer);
  const request = await pay(buyer);
  expect(await unused()).toBe(0);
  await ask(other);
  await ask(other);
  expect(await unused()).toBe(2);
  const later = await pay(await student(app));
  expect(await unused()).toBe(0);
  const reject = ({ body }: Answer) =>
    operator.call("POST", `/api/payment-requests/${body.id}/reject`, { reason: "Nothing arrived." });
  await reject(later);
  expect(await unused()).toBe(3);
  await reject(request);
  expect(await unused()).toBe(5);
});

// WALLET-5
it("counts the addresses of a key whatever was paid to those of another", async () => {
  await ask(await student(app));
  await pay(await student(app));
  await setUpWallets(operator, { bitcoin_address: "", bitcoin_xpub: bip49Key });
  await ask(await student(app));
  expect(await unused()).toBe(1);
});

it("refuses a key that is typed correctly and is no point of the curve", async () => {
  const base58check = createBase58check(sha256);
  const payload = base58check.decode(bip84Key);
  payload.set(new Uint8Array(31), 46);
  payload[77] = 7;
  const form = { ...walletForm, bitcoin_xpub: base58check.encode(payload), current_password: operator.password };
  const { status, body } = await operator.call("PUT", "/api/wallet-settings", form);
  expect([status, body.code, body.error]).toEqual([400, "invalid_input", extendedKeyFaults.not_a_key]);
});
