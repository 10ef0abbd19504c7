// Over 250 lines: what both prices of one site have in common.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { behindTransaction } from "../../../../../tests/support/database/behind-transaction.ts";
import { setUpWallets, walletForm } from "../../../../../tests/support/payments.ts";
import { admin, student, type Answer, type Person } from "../../../../../tests/support/people.ts";
import { letProofExpire } from "../../../../../tests/support/second-factor.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { askPublicPrice } from "./public-price.ts";
import { findKnownPrice } from "./queries.ts";

let app: TestApp;
let operator: Person;
/** What the price service states; undefined: it fails. */
let stated: Record<string, string | undefined>;
let asked: string[];
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());
beforeEach(async () => {
  stated = { bitcoin: "60000", ethereum: "3000" };
  asked = [];
  app.deps.prices = {
    usdPrice: (coin) => {
      asked.push(coin);
      const usd = stated[coin];
      return usd === undefined ? Promise.reject(new Error("down")) : Promise.resolve(usd);
    },
  };
  await app.sql(
    "update coin_prices set set_at = null, set_by = null, lowest_usd = null, highest_usd = null, held_reason = null",
  );
  await app.sql("update public_prices set usd = null, stated_at = null, has_failed = false, asked_at = null");
  await app.sql("delete from wallet_settings");
  operator = await admin(app);
});

const list = async () => (await operator.call("GET", "/api/coin-prices")).body.items;
const bitcoin = async () => (await list()).find(({ coin }: { coin: string }) => coin === "bitcoin");
const fetchBoth = (): Promise<Answer> => operator.call("POST", "/api/coin-prices/fetch");
const setPrice = (usd: string): Promise<Answer> => operator.call("PUT", "/api/coin-prices/bitcoin", { usd });
const setBounds = (bounds: object): Promise<Answer> => operator.call("PUT", "/api/coin-prices/bitcoin/bounds", bounds);
const savedPrice = async () => (await operator.call("GET", "/api/wallet-settings")).body.bitcoin_price_usd;
const now = (): string => app.clock.now().toISOString();

// PRICE-1.
describe("the age of a price", () => {
  const ages = async () => (await operator.call("GET", "/api/wallet-settings")).body.prices_updated_at;

  it("is unknown for the defaults, also after the form was saved with them", async () => {
    expect(await ages()).toEqual({ bitcoin: null, ethereum: null });
    await setUpWallets(operator);
    expect(await ages()).toEqual({ bitcoin: null, ethereum: null });
    expect(await bitcoin()).toMatchObject({
      usd: "45000",
      updated_at: null,
      updated_by: null,
      warnings: ["never_set", "off_public"],
    });
  });

  it("begins when the form changes the price, and stays when the form leaves it", async () => {
    const saved = now();
    const reply = await operator.call("PUT", "/api/wallet-settings", {
      ...walletForm,
      bitcoin_price_usd: "60000",
      current_password: operator.password,
    });
    expect(reply.body.prices_updated_at).toEqual({ bitcoin: saved, ethereum: null });
    app.clock.advance(60);
    await setUpWallets(operator, { bitcoin_price_usd: "60000.00", thai_bank_name: "Bangkok Bank" });
    expect(await ages()).toEqual({ bitcoin: saved, ethereum: null });
    expect(await bitcoin()).toMatchObject({ updated_at: saved, updated_by: "admin", warnings: [] });
  });

  it("begins again when the admin confirms the price", async () => {
    await setUpWallets(operator, { bitcoin_price_usd: "60001" });
    app.clock.advance(24 * 3600 + 1);
    await app.sql("update public_prices set asked_at = $1", [app.clock.now()]);
    operator = await admin(app);
    expect((await bitcoin()).warnings).toEqual(["old"]);
    const confirmed = await setPrice("60001");
    expect(confirmed.body).toMatchObject({ usd: "60001", updated_at: now(), updated_by: "admin", warnings: [] });
    const [entry] = await app.sql("select action, actor_email, details from audit_log order by id desc limit 1");
    expect(entry).toEqual({
      action: "coin-price.confirm",
      actor_email: operator.email,
      details: { before: "60001", after: "60001", source: "admin" },
    });
    await setPrice("60500");
    const [change] = await app.sql("select fields from guarded_changes order by at desc, id desc limit 1");
    expect(change?.fields).toEqual({ bitcoin_price_usd: { before: "60001", after: "60500" } });
  });
});

// PRICE-2.
describe("the public price", () => {
  it("is asked for once in five minutes by all processes, and warns of a difference", async () => {
    await setUpWallets(operator, { bitcoin_price_usd: "55000" });
    asked = [];
    const beside = await startApp({ beside: app, parts: { prices: app.deps.prices, clock: app.clock } });
    try {
      const there = await admin(beside);
      const ask = (): Promise<unknown> =>
        Promise.all([list(), list(), there.call("GET", "/api/coin-prices"), there.call("GET", "/api/coin-prices")]);
      await ask();
      expect(asked.toSorted()).toEqual(["bitcoin", "ethereum"]);
      app.clock.advance(299);
      await ask();
      expect(asked).toHaveLength(2);
      app.clock.advance(1);
      await ask();
      expect(asked).toHaveLength(4);
    } finally {
      await beside.close();
    }
    expect(await bitcoin()).toMatchObject({
      public_usd: "60000",
      public_at: now(),
      public_failed: false,
      warnings: ["off_public"],
    });
  });

  it("is said to be missing while the service fails, which is not asked more often", async () => {
    await setUpWallets(operator, { bitcoin_price_usd: "60000" });
    await bitcoin();
    const read = now();
    stated = {};
    app.clock.advance(301);
    asked = [];
    for (let time = 0; time < 3; time += 1) {
      expect(await bitcoin()).toMatchObject({ public_usd: "60000", public_at: read, public_failed: true, warnings: [] });
    }
    expect(asked.toSorted()).toEqual(["bitcoin", "ethereum"]);
  });

  it("is asked for again after a clock was far ahead", async () => {
    app.clock.advance(3600);
    await list();
    app.clock.advance(-3600);
    asked = [];
    await list();
    expect(asked.toSorted()).toEqual(["bitcoin", "ethereum"]);
  });
});

// PRICE-3.
describe("fetching both prices", () => {
  it("saves both with their age and an audit entry, and leaves quotes as they are", async () => {
    await setUpWallets(operator, { bitcoin_price_usd: "55000", ethereum_price_usd: "2900" });
    const buyer = await student(app);
    const quote = await buyer.call("POST", "/api/quotes", { package_type: "starter" });
    const fetched = await fetchBoth();
    expect(fetched.body).toEqual({
      items: [
        { coin: "bitcoin", before_usd: "55000", public_usd: "60000", kept: null },
        { coin: "ethereum", before_usd: "2900", public_usd: "3000", kept: null },
      ],
    });
    expect((await operator.call("GET", "/api/wallet-settings")).body).toMatchObject({
      ...walletForm,
      bitcoin_price_usd: "60000",
      ethereum_price_usd: "3000",
      prices_updated_at: { bitcoin: now(), ethereum: now() },
    });
    expect(await bitcoin()).toMatchObject({ updated_by: "price-service", warnings: [] });
    const entries = await app.sql(
      "select subject_id, details from audit_log where action = 'coin-price.set' and subject_type = 'coin-price' order by id desc limit 2",
    );
    expect(entries).toEqual([
      { subject_id: "ethereum", details: { before: "2900", after: "3000", source: "price-service" } },
      { subject_id: "bitcoin", details: { before: "55000", after: "60000", source: "price-service" } },
    ]);
    const [row] = await app.sql("select methods from quotes where id = $1", [quote.body.id]);
    expect(row?.methods).toEqual(quote.body.methods);
    const [change] = await app.sql("select fields from guarded_changes order by at desc, id desc limit 1");
    expect(change?.fields).toEqual({
      bitcoin_price_usd: { before: "55000", after: "60000" },
      ethereum_price_usd: { before: "2900", after: "3000" },
    });
    expect((await findKnownPrice(app.deps.db, "ethereum")).own.coin).toBe("ethereum");
  });

  it("stores nothing of a service that is asked while the process stops", async () => {
    const prices = { usdPrice: () => Promise.reject(new Error("aborted")) };
    await app.sql("update public_prices set has_failed = false");
    expect(await askPublicPrice({ ...app.deps, prices }, "bitcoin", AbortSignal.abort())).toBeUndefined();
    expect(await app.sql("select coin from public_prices where has_failed")).toEqual([]);
  });

  it("keeps a price that the service does not state, and saves the other", async () => {
    await setUpWallets(operator, { bitcoin_price_usd: "55000" });
    stated = { ethereum: "3100" };
    expect((await fetchBoth()).body.items).toMatchObject([
      { coin: "bitcoin", public_usd: null, kept: "no_public_price" },
      { coin: "ethereum", public_usd: "3100", kept: null },
    ]);
    expect(await savedPrice()).toBe("55000");
  });

  it("keeps a price more than 20% off until the admin takes it with a step-up", async () => {
    await setUpWallets(operator, { bitcoin_price_usd: "49999" });
    await letProofExpire(app, operator);
    expect((await fetchBoth()).body.items[0]).toEqual({
      coin: "bitcoin",
      before_usd: "49999",
      public_usd: "60000",
      kept: "large_step",
    });
    expect(await savedPrice()).toBe("49999");
    expect((await setPrice("60000")).body.code).toBe("step_up_needed");
    expect(await savedPrice()).toBe("49999");
    await operator.call("POST", "/api/step-up", { current_password: operator.password });
    expect((await setPrice("60000")).body).toMatchObject({ usd: "60000", updated_by: "price-service", warnings: [] });
  });

  it("keeps a price outside of the owner's bounds", async () => {
    await setUpWallets(operator, { bitcoin_price_usd: "59000" });
    expect((await setBounds({ lowest_usd: "50000", highest_usd: "59999.99" })).body).toMatchObject({
      lowest_usd: "50000",
      highest_usd: "59999.99",
    });
    expect((await fetchBoth()).body.items[0].kept).toBe("out_of_bounds");
    expect(await savedPrice()).toBe("59000");
    await setBounds({ lowest_usd: "", highest_usd: "" });
    expect((await fetchBoth()).body.items[0].kept).toBeNull();
  });

  // AUDIT-3
  it("records the bounds that another save left when two come at once", async () => {
    const other = { text: "update coin_prices set lowest_usd = 1 where coin = 'bitcoin'" };
    await behindTransaction(app, other, () => setBounds({ lowest_usd: "2", highest_usd: "" }));
    const [entry] = await app.sql<any>("select details from audit_log order by id desc limit 1");
    expect(entry.details).toEqual({
      before: { lowest_usd: "1.00", highest_usd: null },
      after: { lowest_usd: "2", highest_usd: null },
    });
  });

  it("sets prices before there are other settings", async () => {
    stated = { bitcoin: "46000", ethereum: "3100" };
    await fetchBoth();
    expect((await operator.call("GET", "/api/wallet-settings")).body).toMatchObject({
      bitcoin_address: "",
      bitcoin_price_usd: "46000",
      ethereum_price_usd: "3100",
    });
  });

  // PRICE-6.
  it.each(["0", "-1", "1e30", "100000000.01", "NaN", "", "Infinity", "<html>"])(
    "never stores what is no price: %s",
    async (nonsense) => {
      await setUpWallets(operator, { bitcoin_price_usd: "60000" });
      stated = { bitcoin: nonsense, ethereum: nonsense };
      expect((await fetchBoth()).body.items[0]).toMatchObject({ public_usd: null, kept: "no_public_price" });
      expect(await savedPrice()).toBe("60000");
      expect((await bitcoin()).public_usd).not.toBe(nonsense);
    },
  );
});

// PRICE-4.
it.each([
  [{ lowest_usd: "0" }, "Please enter a price from 0.01 to 100,000,000 USD with at most 2 decimals."],
  [{ highest_usd: "1e9" }, "Please enter a price from 0.01 to 100,000,000 USD with at most 2 decimals."],
  [{ lowest_usd: "x", highest_usd: "y" }, "Please enter a price from 0.01 to 100,000,000 USD with at most 2 decimals."],
  [{ lowest_usd: "2", highest_usd: "1.99" }, "The highest price must not be below the lowest one."],
])("refuses bounds that no price is within: %j", async (bounds, error) => {
  await setBounds({ lowest_usd: "40000", highest_usd: "90000" });
  expect(await setBounds(bounds)).toMatchObject({ status: 400, body: { error, code: "invalid_input" } });
  expect(await bitcoin()).toMatchObject({ lowest_usd: "40000", highest_usd: "90000" });
});
