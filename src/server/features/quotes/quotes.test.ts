import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { setUpWallets, walletForm } from "../../../../tests/support/payments.ts";
import { admin, student, type Person } from "../../../../tests/support/people.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => {
  app = await startApp();
  operator = await admin(app);
});
afterAll(() => app?.close());

const amounts = (body: { methods: { crypto_type: string; amount_crypto: string }[] }) =>
  Object.fromEntries(body.methods.map((method) => [method.crypto_type, method.amount_crypto]));

describe("a quote", () => {
  it("quotes methods that are not set up as unavailable, without an address", async () => {
    const buyer = await student(app);
    const { body, status } = await buyer.call("POST", "/api/quotes", { package_type: "starter" });
    expect(status).toBe(201);
    expect(body.methods.map((method: { available: boolean }) => method.available)).toEqual([false, false, false]);
    expect(body.methods.map((method: { wallet_address: string }) => method.wallet_address)).toEqual(["", "", ""]);
  });

  it("takes LUNCH off Advanced to the last digit, in all currencies", async () => {
    await setUpWallets(operator);
    const buyer = await student(app);
    const { body } = await buyer.call("POST", "/api/quotes", { package_type: "advanced", coupon_code: "LUNCH" });
    expect(body).toMatchObject({
      original_usd: "997",
      discount_usd: "697.9",
      amount_usd: "299.1",
      discount_percent: "70",
      coupon_code: "LUNCH",
    });
    expect(amounts(body)).toEqual({ bitcoin: "0.00664667", ethereum: "0.09970000", thai_bank: "10468.50" });
    expect(body.methods[2]).toMatchObject({
      wallet_address: "Kasikornbank 012-3-45678-9",
      bank: { name: "Kasikornbank", account_number: "012-3-45678-9", account_name: "Pipwright Co., Ltd." },
    });
  });

  it("makes quotes of 30 minutes", async () => {
    const buyer = await student(app);
    const { body } = await buyer.call("POST", "/api/quotes", { package_type: "starter" });
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(30 * 60 * 1000);
  });

  it("refuses a quote with a blank, unknown, misspelt or inactive coupon", async () => {
    const buyer = await student(app);
    await operator.call("POST", "/api/coupons", { code: "GONE", discount_starter: "5", discount_advanced: "5", active: false });
    const ask = (coupon_code: string) => buyer.call("POST", "/api/quotes", { package_type: "starter", coupon_code });
    expect((await ask("  ")).body).toEqual({ error: "Please enter a coupon code", code: "coupon_empty" });
    for (const wrong of ["NOPE", "lunch", "GONE", "LUNCH' or 1=1 --"]) {
      const answer = await ask(wrong);
      expect(answer.status).toBe(400);
      expect(answer.body.error).toBe("Invalid or expired coupon code");
    }
  });

  it("refuses a quote of an unknown package, and any quote to the admin", async () => {
    const buyer = await student(app);
    expect((await buyer.call("POST", "/api/quotes", { package_type: "platinum" })).status).toBe(400);
    expect((await operator.call("POST", "/api/quotes", { package_type: "starter" })).status).toBe(403);
  });
});

describe("coupon attempts", () => {
  it("refuses the twenty-first coupon within ten minutes of one account", async () => {
    const limited = await startApp({ environment: { RATE_LIMITS: "on" } });
    try {
      const buyer = await student(limited);
      const tries = await Promise.all(
        Array.from({ length: 25 }, (_, index) =>
          buyer.call("POST", "/api/quotes", { package_type: "starter", coupon_code: `GUESS${index}` }),
        ),
      );
      const refused = tries.filter((answer) => answer.status === 429);
      expect(refused.length).toBe(5);
      expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    } finally {
      await limited.close();
    }
  });
});

describe("wallet settings", () => {
  it("needs the admin's password to change an address, but not a price", async () => {
    await setUpWallets(operator);
    const changed = { ...walletForm, bitcoin_address: "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3" };
    for (const current_password of [undefined, "wrong"]) {
      const answer = await operator.call("PUT", "/api/wallet-settings", { ...changed, current_password });
      expect(answer.status).toBe(403);
      expect(answer.body.code).toBe("password_confirmation_wrong");
    }
    expect((await operator.call("GET", "/api/wallet-settings")).body.bitcoin_address).toBe(walletForm.bitcoin_address);
    const repriced = await operator.call("PUT", "/api/wallet-settings", { ...walletForm, bitcoin_price_usd: "50000.5" });
    expect(repriced.body.bitcoin_price_usd).toBe("50000.5");
  });

  it("refuses prices that are not positive decimals with at most two places", async () => {
    for (const bitcoin_price_usd of [
      "0",
      "-1",
      "0.001",
      "100000000.01",
      "999999999999999",
      "1e5",
      "12.345",
      "",
      "NaN",
      "Infinity",
      "0x10",
    ]) {
      const answer = await operator.call("PUT", "/api/wallet-settings", { ...walletForm, bitcoin_price_usd });
      expect(answer.status, bitcoin_price_usd).toBe(400);
    }
  });

  it("records changes of the wallet settings in the audit log", async () => {
    await setUpWallets(operator, { thai_bank_name: "Bangkok Bank" });
    const [entry] = await app.sql<{ actor_email: string; details: { changed: string[] } }>(
      "select actor_email, details from audit_log where action = 'wallet-settings.save' order by id desc limit 1",
    );
    expect(entry?.actor_email).toBe(operator.email);
    expect(entry?.details.changed).toEqual(["thai_bank_name"]);
  });

  it("returns the price of the price service, or the error when it fails", async () => {
    expect((await operator.call("GET", "/api/crypto-price/bitcoin")).body).toEqual({ usd: "64250.5" });
    expect((await operator.call("GET", "/api/crypto-price/dogecoin")).status).toBe(400);
    const down = await startApp({ parts: { prices: { usdPrice: () => Promise.reject(new Error("down")) } } });
    try {
      const answer = await (await admin(down)).call("GET", "/api/crypto-price/ethereum");
      expect(answer.status).toBe(503);
      expect(answer.body.error).toBe("Failed to fetch Ethereum price");
    } finally {
      await down.close();
    }
  });
});

describe("coupons", () => {
  it("lets the admin list, add, change and delete coupons", async () => {
    const made = await operator.call("POST", "/api/coupons", {
      code: "SPRING-25",
      discount_starter: "25",
      discount_advanced: "12.50",
    });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({ code: "SPRING-25", discount_starter: "25", discount_advanced: "12.5", active: true });
    const again = { code: "SPRING-25", discount_starter: "1", discount_advanced: "1" };
    expect((await operator.call("POST", "/api/coupons", again)).body.code).toBe("coupon_exists");
    expect((await operator.call("PATCH", "/api/coupons/SPRING-25", { active: false })).body.active).toBe(false);
    const listed = await operator.call("GET", "/api/coupons");
    expect(listed.body.items.map((coupon: { code: string }) => coupon.code)).toContain("SPRING-25");
    expect((await operator.call("DELETE", "/api/coupons/SPRING-25")).status).toBe(200);
    expect((await operator.call("DELETE", "/api/coupons/SPRING-25")).status).toBe(404);
  });

  it("refuses coupons with percents outside 0 to 100 or an untypable code", async () => {
    const base = { code: "OK", discount_starter: "10", discount_advanced: "10" };
    for (const wrong of [
      { discount_starter: "101" },
      { discount_advanced: "-1" },
      { discount_starter: "1.234" },
      { code: "a b" },
    ]) {
      expect((await operator.call("POST", "/api/coupons", { ...base, ...wrong })).status).toBe(400);
    }
  });
});
