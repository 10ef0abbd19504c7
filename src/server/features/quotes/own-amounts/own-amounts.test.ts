// Over 250 lines: one table of amounts, each test with all of it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { QuotedMethod } from "#domain/payment-methods/methods";
import { secondsAfter } from "#server/platform/clock";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { bip84Key } from "../../../../../tests/support/domain/bitcoin-keys.ts";
import { pay, setUpWallets, walletForm } from "../../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { quoteRemovals } from "../retention.ts";
import { withOwnAmounts } from "./reserve.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());
beforeEach(async () => {
  await app.sql("truncate own_amounts, payment_requests cascade");
  await setUpWallets(operator, { unique_amounts: true });
});

/** The specified amounts of Starter. */
const base = { bitcoin: "0.01104444", ethereum: "0.16566667", thai_bank: "17395.00" };

const ask = async (buyer: Person, more = {}) =>
  (await buyer.call("POST", "/api/quotes", { package_type: "starter", ...more })).body;
const amountsOf = (quote: { methods: QuotedMethod[] }): Record<string, string> =>
  Object.fromEntries(quote.methods.map(({ crypto_type, amount_crypto }) => [crypto_type, amount_crypto]));

/** Ends all quotes: tokens would not outlive a clock that is moved half an hour. */
async function endQuotes(): Promise<void> {
  await app.sql("update quotes set created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour'");
  await app.sql("update own_amounts set held_until = held_until - interval '1 hour'");
}

// QUOTE-8
describe("amounts with last digits of their own", () => {
  it("add at most 0.99 baht, 999 satoshi or 999 last digits of an ether, and no USD", async () => {
    const { amount_usd, methods } = await ask(await student(app));
    expect(amount_usd).toBe("497");
    const most = { bitcoin: 999, ethereum: 999, thai_bank: 99 };
    for (const { crypto_type, amount_crypto, own_digits } of methods as QuotedMethod[]) {
      const places = crypto_type === "thai_bank" ? 2 : 8;
      const added = Math.round((Number(amount_crypto) - Number(base[crypto_type])) * 10 ** places);
      expect(added).toBeGreaterThan(0);
      expect(added).toBeLessThanOrEqual(most[crypto_type]);
      expect(own_digits).toBe(true);
    }
  });

  it("are the specified ones while the setting is off", async () => {
    await setUpWallets(operator);
    const quote = await ask(await student(app));
    expect(amountsOf(quote)).toEqual(base);
    expect(quote.methods[0].own_digits).toBeUndefined();
  });

  it("are added to Ethereum and baht alone where Bitcoin has addresses of its own", async () => {
    await setUpWallets(operator, { unique_amounts: true, bitcoin_address: "", bitcoin_xpub: bip84Key });
    const { methods } = await ask(await student(app));
    expect(methods.map(({ own_digits }: QuotedMethod) => own_digits)).toEqual([undefined, true, true]);
    expect(methods[0].amount_crypto).toBe(base.bitcoin);
  });

  it("are held for the student alone who asks again", async () => {
    const [buyer, other] = [await student(app), await student(app)];
    const first = amountsOf(await ask(buyer));
    await ask(other);
    await endQuotes();
    const heldForOther = () =>
      app.sql("select crypto_type, amount, held_until from own_amounts where user_id = $1 order by 1", [other.id]);
    const before = await heldForOther();
    expect(before).toHaveLength(3);
    expect(amountsOf(await ask(buyer))).toEqual(first);
    expect(await heldForOther()).toEqual(before);
  });

  it("leave a free quote and a method that is not set up alone", async () => {
    await setUpWallets(operator, { unique_amounts: true, thai_bank_name: "" });
    await operator.call("POST", "/api/coupons", { code: "FREE", discount_starter: "100", discount_advanced: "100" });
    const buyer = await student(app);
    expect(amountsOf(await ask(buyer, { coupon_code: "FREE" }))).toEqual({
      bitcoin: "0.00000000",
      ethereum: "0.00000000",
      thai_bank: "0.00",
    });
    expect(amountsOf(await ask(buyer)).thai_bank).toBe("17395.00");
  });

  it("are copied into the payment request", async () => {
    const buyer = await student(app);
    const { body } = await pay(buyer, { crypto_type: "thai_bank" });
    const [{ amount }] = (await app.sql("select amount from own_amounts where crypto_type = 'thai_bank'")) as [
      { amount: string },
    ];
    expect(body.amount_crypto).toBe(amount);
  });
});

describe("two payments at once", () => {
  it("never repeat an amount to one destination, also when a range runs out", async () => {
    const buyers = await Promise.all([student(app), student(app), student(app)]);
    const quotes = await Promise.all(Array.from({ length: 110 }, (_none, index) => ask(buyers[index % 3]!)));
    for (const type of ["bitcoin", "ethereum", "thai_bank"]) {
      expect(new Set(quotes.map((quote) => amountsOf(quote)[type])).size).toBe(110);
    }
    // All 99 of the first range were tried before it was widened.
    const baht = quotes.map((quote) => Number(amountsOf(quote).thai_bank));
    expect(Math.max(...baht)).toBeGreaterThan(17395.99);
    expect(Math.max(...baht)).toBeLessThanOrEqual(17404.99);
    expect(baht.filter((amount) => amount < 17396).length).toBeGreaterThan(90);
  });
});

describe("an amount that is used again", () => {
  it("stays with a student whose quote ended unused", async () => {
    const buyer = await student(app);
    const first = amountsOf(await ask(buyer));
    await endQuotes();
    expect(amountsOf(await ask(buyer))).toEqual(first);
    expect(amountsOf(await ask(buyer))).not.toEqual(first);
  });

  it("is no amount that a request of the student has", async () => {
    const buyer = await student(app);
    const { body } = await pay(buyer, { crypto_type: "thai_bank" });
    await operator.call("POST", `/api/payment-requests/${body.id}/reject`, { reason: "Nothing has arrived" });
    await endQuotes();
    const second = amountsOf(await ask(buyer));
    expect(second["thai_bank"]).not.toBe(body.amount_crypto);
    await endQuotes();
    expect(amountsOf(await ask(buyer))).toEqual(second);
  });

  it("does not reuse an amount that a late payment of the student claims", async () => {
    const buyer = await student(app);
    const former = await ask(buyer);
    await setUpWallets(operator, { unique_amounts: true, thai_bank_account_number: "999-9-99999-9" });
    const { body } = await pay(buyer, { crypto_type: "thai_bank", extra: { paid_quote_id: former.id } });
    expect(body.paid_by_earlier_quote.amount_crypto).toBe(amountsOf(former)["thai_bank"]);
    await operator.call("POST", `/api/payment-requests/${body.id}/reject`, { reason: "Nothing has arrived" });
    await setUpWallets(operator, { unique_amounts: true });
    await endQuotes();
    expect(amountsOf(await ask(buyer))["thai_bank"]).not.toBe(amountsOf(former)["thai_bank"]);
  });

  it("is taken over from the quote that a new one replaces, at the same price only", async () => {
    const buyer = await student(app);
    const first = await ask(buyer);
    const second = await ask(buyer, { replaces: first.id });
    expect(amountsOf(second)).toEqual(amountsOf(first));
    await setUpWallets(operator, { unique_amounts: true, ethereum_price_usd: "2500" });
    const third = amountsOf(await ask(buyer, { replaces: second.id }));
    expect({ ...third, ethereum: "" }).toEqual({ ...amountsOf(first), ethereum: "" });
    expect(third.ethereum).toMatch(/^0\.1988/);
  });

  it("is that of the replaced quote, also where a smaller one is free again", async () => {
    const buyer = await student(app);
    const bahtOf = (quote: { methods: QuotedMethod[] }): number => Number(amountsOf(quote)["thai_bank"]);
    const quotes = [await ask(buyer), await ask(buyer)];
    const greater = quotes.toSorted((one, other) => bahtOf(other) - bahtOf(one))[0];
    await endQuotes();
    expect(bahtOf(await ask(buyer, { replaces: greater.id }))).toBe(bahtOf(greater));
  });

  it("is never taken over from another student", async () => {
    const quote = await ask(await student(app));
    await endQuotes();
    const other = amountsOf(await ask(await student(app), { replaces: quote.id }));
    expect(Object.values(other).some((amount) => Object.values(amountsOf(quote)).includes(amount))).toBe(false);
  });
});

/** Reservations without the HTTP around them, in the order of given numbers. */
describe("which amount is reserved", () => {
  const baht: QuotedMethod = { crypto_type: "thai_bank", available: true, amount_crypto: "100.00", wallet_address: "K 1" };

  const reserve = async (buyer: Person, units: (below: number) => number): Promise<string> => {
    const now = app.clock.now();
    const times = { now, until: secondsAfter(now, 1800), endedBefore: now };
    const holder = { ...times, userId: buyer.id, packageType: "starter" as const, replaced: [] };
    const [method] = await withOwnAmounts(app.deps.db, [baht], holder, [], units);
    return method!.amount_crypto;
  };

  it("is the first candidate that is free", async () => {
    const buyer = await student(app);
    expect(await reserve(buyer, () => 6)).toBe("100.07");
    const candidates = [6, 6, 41];
    expect(await reserve(buyer, () => candidates.shift() ?? 6)).toBe("100.42");
  });

  it("is any other of the range when all candidates are in use", async () => {
    const buyer = await student(app);
    const taken: string[] = [];
    while (taken.length < 20) taken.push(await reserve(buyer, (below) => Math.min(6, below - 1)));
    expect(new Set(taken).size).toBe(20);
    expect(taken.every((amount) => Number(amount) < 101)).toBe(true);
  });

  it("is in random order when the whole range is tried", async () => {
    const buyer = await student(app);
    await reserve(buyer, () => 0);
    // Tries 100.01 alone, then has the last of the range change places with it.
    expect(await reserve(buyer, (below) => (below === 99 ? 0 : below - 1))).toBe("100.99");
  });

  it("reserves an amount that nobody had while the range has one", async () => {
    const [buyer, other] = [await student(app), await student(app)];
    await app.sql(
      `insert into own_amounts select 'thai_bank', 'K 1', round(100 + number / 100.0, 2), 100, $1, 'starter', now() - interval '1 hour'
       from generate_series(1, 99) as number where number <> 50`,
      [other.id],
    );
    expect(await reserve(buyer, () => 0)).toBe("100.50");
  });

  it("prefers an amount that nobody had among those tried in a wider range", async () => {
    const [buyer, other] = [await student(app), await student(app)];
    await app.sql(
      `insert into own_amounts select 'thai_bank', 'K 1', round(100 + number / 100.0, 2), 100, $1, 'starter',
         now() + case when number < 100 then interval '1 minute' else interval '-1 hour' end
       from generate_series(1, 999) as number where number <> 500`,
      [other.id],
    );
    const wide = Array.from({ length: 8 }, () => 599);
    const units = (below: number): number => (below === 999 ? (wide.shift() ?? 499) : below - 1);
    expect(await reserve(buyer, units)).toBe("105.00");
    expect(await reserve(buyer, (below) => (below === 999 ? 599 : below - 1))).toBe("106.00");
  });

  it("is that of the quote that ended longest ago, once no other is left", async () => {
    const [buyer, other] = [await student(app), await student(app)];
    await app.sql(
      `insert into own_amounts select 'thai_bank', 'K 1', round(100 + number / 100.0, 2), 100, $1, 'starter', now() + case
         when number = 33 then interval '-2 hours' when number = 44 then interval '-1 hour' else interval '1 minute' end
       from generate_series(1, 99) as number`,
      [other.id],
    );
    // Tries 100.44 alone at first.
    const at44 = (below: number): number => Math.min(43, below - 1);
    expect([await reserve(buyer, at44), await reserve(buyer, at44)]).toEqual(["100.33", "100.44"]);
    expect(Number(await reserve(buyer, (below) => below - 1))).toBeGreaterThan(100.99);
  });

  const atK1 = "amount_crypto = 100.07, wallet_address = 'K 1'";
  const earlierAtK1 =
    "earlier_amount_crypto = 100.07, earlier_wallet_address = 'K 1', earlier_amount_usd = 1, earlier_quoted_at = now()";
  const ago = (seconds: number) => `decided_at = decided_at - interval '${seconds} seconds'`;
  const week = 7 * 24 * 3600;
  it.each([
    ["not", "pending", undefined, atK1],
    ["not", "rejected within a week, and may come again", "reject", `${atK1}, ${ago(week - 1)}`],
    ["also", "rejected a week ago", "reject", `${atK1}, ${ago(week)}`],
    ["not", "claimed by a pending late payment", undefined, earlierAtK1],
    ["also", "approved", "approve", atK1],
  ])("is %s one that is %s", async (which, _what, decision, change) => {
    const buyer = await student(app);
    const { id } = (await pay(await student(app), { crypto_type: "thai_bank" })).body;
    if (decision) await operator.call("POST", `/api/payment-requests/${id}/${decision}`, { reason: "Too little." });
    await app.sql(`update payment_requests set ${change} where id = $1`, [id]);
    await app.sql("truncate own_amounts");
    const candidates = [6];
    expect((await reserve(buyer, () => candidates.shift() ?? 11)) === "100.07").toBe(which === "also");
  });

  it("is refused with a 503 only when the widest range is in use", async () => {
    const buyer = await student(app);
    await app.sql(
      `insert into own_amounts select 'thai_bank', 'K 1', 100 + number / 100.0, 100, $1, 'starter', now() + interval '1 hour'
       from generate_series(1, 99999) as number`,
      [(await student(app)).id],
    );
    await expect(reserve(buyer, () => 0)).rejects.toMatchObject({ code: "unavailable" });
    await app.sql("delete from own_amounts where amount = 100 + 99999 / 100.0");
    expect(await reserve(buyer, (below) => below - 1)).toBe("1099.99");
  });

  it("is forgotten a week after its quote", async () => {
    const buyer = await student(app);
    await reserve(buyer, () => 6);
    const remove = (now: Date) => quoteRemovals[0]!.remove(app.deps.db, now, 10);
    const ended = secondsAfter(app.clock.now(), 1800);
    expect(await remove(secondsAfter(ended, 7 * 24 * 3600 - 1))).toBe(0);
    expect(await remove(secondsAfter(ended, 7 * 24 * 3600 + 1))).toBe(1);
  });
});

it("whoever asks for many quotes gets the figures of their own open ones", async () => {
  const limited = await startShop({ environment: { RATE_LIMITS: "on" } });
  try {
    await setUpWallets(limited.operator, { unique_amounts: true, bitcoin_xpub: bip84Key });
    const buyer = await student(limited.app);
    const quotes = [];
    for (let count = 0; count < 12; count += 1) quotes.push(await ask(buyer));
    expect(new Set(quotes.map(({ methods }) => methods[0].wallet_address)).size).toBe(5);
    expect(new Set(quotes.map((quote) => amountsOf(quote).thai_bank)).size).toBe(5);
    expect(quotes.map(({ methods }) => methods[0].wallet_address)).not.toContain(walletForm.bitcoin_address);
    const advanced = await ask(buyer, { package_type: "advanced" });
    expect(quotes.map(({ methods }) => methods[0].wallet_address)).not.toContain(advanced.methods[0].wallet_address);
  } finally {
    await limited.app.close();
  }
});
