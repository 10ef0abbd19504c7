import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { adminEmail, startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { setUpWallets } from "../../../../../tests/support/payments.ts";
import { admin, student, type Person } from "../../../../../tests/support/people.ts";
import { canonical } from "#domain/money";
import { readConfig } from "../../../config.ts";
import { httpPriceSource, type PriceSource } from "../../../platform/prices/prices.ts";
import { priceRefreshJob } from "./job.ts";

let app: TestApp;
let operator: Person;
let usd: string;
let asked: string[];
/** The newest entry of the audit log when the test began. */
let lastEntry: string;
let failures: string[];
let prices: PriceSource;
const servers: Server[] = [];
beforeAll(async () => {
  app = await startApp({ environment: { PRICE_REFRESH: "15m" } });
});
afterAll(() => app?.close());
beforeEach(async () => {
  usd = "60000";
  asked = [];
  failures = [];
  prices = {
    usdPrice: (coin) => {
      asked.push(coin);
      return coin === "bitcoin" ? Promise.resolve(usd) : Promise.reject(new Error("down"));
    },
  };
  operator = await admin(app);
  await app.sql(
    "update coin_prices set refreshed_at = null, held_reason = null, mailed_at = null, lowest_usd = null, highest_usd = null",
  );
  await setUpWallets(operator, { bitcoin_price_usd: "60000" });
  lastEntry = await newestEntry();
  await app.sql("delete from mail_outbox");
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const job = (parts: { prices?: PriceSource; config?: TestApp["deps"]["config"] } = {}) =>
  priceRefreshJob({ ...app.deps, prices, ...parts, onError: (what) => void failures.push(what) });
/** Runs the job a quarter of an hour later. */
const refresh = (): Promise<void> => {
  app.clock.advance(900);
  return job().run();
};
const saved = async () =>
  canonical((await app.sql<{ usd: string }>("select bitcoin_price_usd as usd from wallet_settings"))[0]!.usd);
const stored = async () =>
  (await app.sql("select * from coin_prices join public_prices using (coin) where coin = 'bitcoin'"))[0]!;
const newestEntry = async () => (await app.sql<{ id: string }>("select coalesce(max(id), 0) as id from audit_log"))[0]!.id;
/** The entries since `lastEntry`. */
const audit = () =>
  app.sql("select action, actor_email, actor_id, details from audit_log where id > $1 order by id", [lastEntry]);
/** About held prices: what a person sets is mailed too (GUARD-1). */
const mails = async () =>
  (await app.sql<{ subject: string }>("select subject from mail_outbox where recipient = $1 order by id", [adminEmail]))
    .map(({ subject }) => subject)
    .filter((subject) => !subject.includes("were changed"));

// PRICE-5.
describe("PRICE_REFRESH", () => {
  it("takes the public price as the system, without a mail or changed quotes", async () => {
    const buyer = await student(app);
    const quote = await buyer.call("POST", "/api/quotes", { package_type: "starter" });
    lastEntry = await newestEntry();
    usd = "61000.5";
    await refresh();
    expect(await saved()).toBe("61000.5");
    expect(await stored()).toMatchObject({ set_by: "price-service", set_at: app.clock.now(), held_reason: null });
    expect(await audit()).toEqual([
      {
        action: "coin-price.set",
        actor_email: "system",
        actor_id: null,
        details: { before: "60000", after: "61000.5", source: "price-service" },
      },
    ]);
    expect(await mails()).toEqual([]);
    const [row] = await app.sql("select methods from quotes where id = $1", [quote.body.id]);
    expect(row?.methods).toEqual(quote.body.methods);
  });

  it("is off unless it is set, and takes a minute to a day", async () => {
    const refreshOf = (text?: string): number =>
      readConfig(text === undefined ? {} : { PRICE_REFRESH: text }).payments.priceRefreshSeconds;
    expect([refreshOf(), refreshOf("off"), refreshOf("1m"), refreshOf("1d")]).toEqual([0, 0, 60, 86_400]);
    for (const text of ["0m", "59s", "2d", "15"]) expect(() => refreshOf(text)).toThrow(/^PRICE_REFRESH: must be off, or/);
    const config = { ...app.deps.config, payments: { ...app.deps.config.payments, priceRefreshSeconds: 0 } };
    await job({ config }).run();
    expect(asked).toEqual([]);
  });

  it("asks once in its time, however many processes run", async () => {
    usd = "61000";
    app.clock.advance(900);
    await Promise.all(Array.from({ length: 6 }, () => job().run()));
    expect(asked.toSorted()).toEqual(["bitcoin", "ethereum"]);
    expect(await audit()).toHaveLength(1);
    app.clock.advance(899);
    await job().run();
    expect(asked).toHaveLength(2);
    app.clock.advance(1);
    await job().run();
    expect(asked).toHaveLength(4);
  });

  it("goes on when somebody sets the clock, and when a clock was far ahead", async () => {
    await refresh();
    app.clock.set(-7 * 24 * 3600);
    usd = "61000";
    await refresh();
    expect(await saved()).toBe("61000");
    app.clock.set(14 * 24 * 3600);
    usd = "62000";
    await refresh();
    expect(await saved()).toBe("62000");
    app.clock.set(-7 * 24 * 3600);
    await app.sql("update coin_prices set refreshed_at = now() + interval '1 year'");
    usd = "63000";
    await refresh();
    expect(await saved()).toBe("63000");
  });

  it("keeps the price that the admin sets while the service is asked", async () => {
    app.clock.advance(900);
    operator = await admin(app);
    prices = {
      usdPrice: async (coin) => {
        if (coin === "bitcoin") await setUpWallets(operator, { bitcoin_price_usd: "62000" });
        return coin === "bitcoin" ? "61000" : "3000";
      },
    };
    await job().run();
    expect(await saved()).toBe("62000");
    expect(await stored()).toMatchObject({ set_by: "admin", usd: "61000.00" });
  });

  it("changes nothing while there are no settings", async () => {
    await app.sql("delete from wallet_settings");
    await refresh();
    expect(await app.sql("select 1 from wallet_settings")).toEqual([]);
    expect(await mails()).toEqual([]);
  });
});

// PRICE-5, PRICE-6.
describe("a price that is not taken", () => {
  /** In a new session, since an access token expires before the next refresh. */
  const call = async (method: string, path: string, body?: object) => (await admin(app)).call(method, path, body);
  const bound = (bounds: object) => call("PUT", "/api/coin-prices/bitcoin/bounds", bounds);
  const warnings = async () => (await call("GET", "/api/coin-prices")).body.items[0].warnings;

  it("is held more than 20% off, with a warning and one mail until somebody decides", async () => {
    usd = "72000.01";
    for (let time = 0; time < 5; time += 1) await refresh();
    expect(await saved()).toBe("60000");
    expect(await warnings()).toContain("large_step");
    expect(await mails()).toEqual(["The Bitcoin price needs your decision"]);
    app.clock.advance(3 * 24 * 3600);
    await refresh();
    expect(await mails()).toHaveLength(1);
    await call("PUT", "/api/coin-prices/bitcoin", { usd: "72000.01" });
    expect(await warnings()).not.toContain("large_step");
    await refresh();
    expect(await saved()).toBe("72000.01");
    expect(await mails()).toHaveLength(1);
  });

  it("is mailed once a day has passed where the hold began sooner", async () => {
    usd = "72000.01";
    await refresh();
    await call("PUT", "/api/coin-prices/bitcoin", { usd });
    usd = "90000";
    for (let time = 0; time < 4; time += 1) await refresh();
    expect(await warnings()).toContain("large_step");
    expect(await mails()).toHaveLength(1);
    for (let day = 0; day < 3; day += 1) {
      app.clock.advance(24 * 3600);
      await refresh();
    }
    expect(await mails()).toHaveLength(2);
  });

  it("is held outside of the owner's bounds, and taken as soon as it is within", async () => {
    await bound({ lowest_usd: "55000", highest_usd: "61000" });
    usd = "61000.01";
    await refresh();
    expect(await saved()).toBe("60000");
    expect(await warnings()).toContain("out_of_bounds");
    expect(await mails()).toHaveLength(1);
    usd = "61000";
    await refresh();
    expect(await saved()).toBe("61000");
    expect(await warnings()).not.toContain("out_of_bounds");
  });

  it("causes one mail a day while it goes in and out of the bounds", async () => {
    await bound({ highest_usd: "61000" });
    for (let time = 0; time < 8; time += 1) {
      usd = time % 2 === 0 ? "61001" : "60999";
      await refresh();
    }
    expect(await mails()).toHaveLength(1);
    // To the second a day after the first of the eight.
    app.clock.advance(24 * 3600 - 8 * 900);
    usd = "61001";
    await refresh();
    expect(await mails()).toHaveLength(2);
  });

  it.each<[what: string, listener: RequestListener]>([
    ["429", (_request, reply) => reply.writeHead(429, { "retry-after": "60" }).end('{"bitcoin":{"usd":61000}}')],
    ["HTML", (_request, reply) => reply.end("<html>Just a moment</html>")],
    ["1e999", (_request, reply) => reply.end('{"bitcoin":{"usd":1e999}}')],
    ["a string", (_request, reply) => reply.end('{"bitcoin":{"usd":"61000"}}')],
    ["0", (_request, reply) => reply.end('{"bitcoin":{"usd":0}}')],
    ["a negative price", (_request, reply) => reply.end('{"bitcoin":{"usd":-61000}}')],
    ["a huge price", (_request, reply) => reply.end('{"bitcoin":{"usd":1e15}}')],
    ["a list", (_request, reply) => reply.end('[{"bitcoin":{"usd":61000}}]')],
    ["nothing at all", (request) => void request.socket.destroy()],
    ["nothing in time", () => {}],
  ])("is none when the service replies with %s", async (what, listener) => {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    prices = httpPriceSource(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      what === "nothing in time" ? 300 : 30_000,
    );
    await refresh();
    expect(await saved()).toBe("60000");
    expect(await stored()).toMatchObject({ has_failed: true, held_reason: null });
    expect([await audit(), await mails(), failures]).toEqual([[], [], []]);
  });
});
