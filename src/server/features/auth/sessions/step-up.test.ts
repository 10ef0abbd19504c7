import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { secondsAfter } from "#server/platform/clock";
import { isProven, isSteppedUp, type Principal } from "#server/platform/http/access";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { setUpWallets, walletForm } from "../../../../../tests/support/payments.ts";
import {
  admin,
  goodPassword,
  outcome,
  student,
  visitor,
  type Answer,
  type Person,
} from "../../../../../tests/support/people.ts";
import { letProofExpire, turnOnSecondFactor } from "../../../../../tests/support/second-factor.ts";
import { startShop } from "../../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());
beforeEach(async () => {
  operator = await admin(app);
  // The test price service returns 64250.5 and 3120.25.
  await setUpWallets(operator, { bitcoin_price_usd: "60000", ethereum_price_usd: "3000" });
});

const stepUp = (someone: Person, proof: object): Promise<Answer> => someone.call("POST", "/api/step-up", proof);
const byPassword = (someone: Person): Promise<Answer> => stepUp(someone, { current_password: someone.password });
const refused = [403, "step_up_needed"];

const saveSettings = (changes: Partial<typeof walletForm> & { current_password?: string }): Promise<Answer> =>
  operator.call("PUT", "/api/wallet-settings", {
    ...walletForm,
    bitcoin_price_usd: "60000",
    ethereum_price_usd: "3000",
    ...changes,
  });
const coupon = (code: string, percent: string) => ({ code, discount_starter: percent, discount_advanced: "0" });

// STEPUP-1.
describe("a step-up", () => {
  it("proves a session with the password for ten minutes", async () => {
    const someone = await student(app);
    const { status, body } = await byPassword(someone);
    expect(status).toBe(200);
    expect(Date.parse(body.proven_until) - app.clock.now().getTime()).toBe(600_000);
  });

  it("proves a session to the end of its tenth minute", () => {
    const now = app.clock.now();
    const principal = { provenAt: now, steppedUpAt: now } as Principal;
    for (const isFresh of [isProven, isSteppedUp]) {
      expect([600, 600.001].map((seconds) => isFresh(principal, secondsAfter(now, seconds)))).toEqual([true, false]);
    }
  });

  it("proves nothing while it lies ahead by more than clocks differ", () => {
    const now = app.clock.now();
    const principal = { provenAt: now, steppedUpAt: now } as Principal;
    for (const isFresh of [isProven, isSteppedUp]) {
      expect([-300, -300.001, -86_400].map((seconds) => isFresh(principal, secondsAfter(now, seconds)))).toEqual([
        true,
        false,
        false,
      ]);
    }
  });

  it.each([
    [{ current_password: "a guess" }, 403, "password_confirmation_wrong"],
    [{ totp: "000000" }, 400, "invalid_input"],
    [{}, 400, "invalid_input"],
  ])("refuses %j of an account without a second factor", async (proof, status, code) => {
    expect(outcome(await stepUp(await student(app), proof))).toEqual([status, code]);
  });

  // AUDIT-3.
  it("and other wrong passwords in a session of the admin are audited", async () => {
    const entries = () => app.sql("select actor_email, details from audit_log where action = 'admin.sign-in-failed'");
    const before = await entries();
    expect((await byPassword(operator)).status).toBe(200);
    expect(await entries()).toEqual(before);
    await stepUp(await student(app), { current_password: "a guess" });
    await stepUp(operator, { current_password: "a guess" });
    await saveSettings({ current_password: "a guess" });
    await operator.call("PUT", "/auth/v1/user", { password: "an even finer password", current_password: "a guess" });
    const entry = { actor_email: "somebody", details: { in: "session" } };
    expect((await entries()).slice(before.length)).toEqual([entry, entry, entry]);
  });

  it("takes a code, not the password, from an account with a second factor", async () => {
    const { person, authenticator } = await turnOnSecondFactor(app, await student(app));
    await letProofExpire(app, person);
    expect(outcome(await stepUp(person, { current_password: goodPassword }))).toEqual([400, "invalid_input"]);
    expect(outcome(await stepUp(person, { totp: "000000" }))).toEqual([422, "second_factor_code_invalid"]);
    const code = authenticator.code();
    expect((await stepUp(person, { totp: code })).status).toBe(200);
    expect(outcome(await stepUp(person, { totp: code }))).toEqual([422, "second_factor_code_invalid"]);
    expect((await stepUp(person, { totp: authenticator.recoveryCodes[0] })).status).toBe(200);
  });

  it("proves nothing for an account that is deleted while it is checked", async () => {
    const leaver = await student(app);
    const consume = async (): Promise<void> => void (await app.sql("delete from accounts where id = $1", [leaver.id]));
    const site = await startApp({ beside: app, parts: { limits: { ...app.deps.limits, consume } } });
    try {
      const headers = { authorization: `Bearer ${leaver.accessToken}` };
      const proof = { current_password: goodPassword };
      const answer = await visitor(site).call("POST", "/api/step-up", proof, headers);
      expect(outcome(answer)).toEqual([403, "password_confirmation_wrong"]);
    } finally {
      await site.close();
    }
  });

  it("proves no other session of the account", async () => {
    const there = operator;
    operator = await admin(app);
    await letProofExpire(app, operator);
    await byPassword(there);
    expect(outcome(await operator.call("POST", "/api/coupons", coupon("OTHER", "95")))).toEqual(refused);
  });

  it("limits password tries at a step-up", async () => {
    const limited = await startApp({ environment: { RATE_LIMITS: "on" } });
    try {
      const someone = await student(limited);
      const answers = [];
      for (let count = 0; count < 12; count++) answers.push(await stepUp(someone, { current_password: "a guess" }));
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
    } finally {
      await limited.close();
    }
  });

  // ACCOUNT-9.
  it("compares passwords of a stolen session 50 times a day, then one in ten minutes", async () => {
    const limited = await startApp({ environment: { RATE_LIMITS: "on" } });
    try {
      const someone = await student(limited);
      const guess = (index: number) =>
        index % 2 === 0
          ? stepUp(someone, { current_password: "a guess" })
          : someone.call("PUT", "/auth/v1/user", { password: "an even finer password", current_password: "a guess" });
      const compared = [];
      for (let round = 0; round < 8; round++) {
        const answers = [];
        for (let count = 0; count < 11; count++) answers.push(await guess(count));
        compared.push(answers.filter(({ status }) => status === 403).length);
        // The counters follow the wall clock; the limit on changes of the profile is not in question.
        await limited.sql("update rate_limits set expire = expire - 601000");
      }
      expect(compared).toEqual([10, 10, 10, 10, 10, 5, 1, 1]);
    } finally {
      await limited.close();
    }
  });
});

// STEPUP-2.
describe("sensitive actions", () => {
  beforeEach(() => letProofExpire(app, operator));

  it("refuses to set a tier or delete a user in an unproven session", async () => {
    const someone = await student(app);
    const calls = [
      () => operator.call("PUT", "/functions/v1/admin-users", { userId: someone.id, newRole: "advanced" }),
      () => operator.call("DELETE", `/functions/v1/admin-users?userId=${someone.id}`),
    ];
    for (const call of calls) expect(outcome(await call())).toEqual(refused);
    expect((await someone.call("GET", "/api/me")).body.subscription_status).toBe("unpaid");
    await byPassword(operator);
    for (const call of calls) expect((await call()).status).toBe(200);
  });

  it("refuses a new, changed or activated coupon of 90% or more when unproven", async () => {
    const create = (code: string, percent: string) => operator.call("POST", "/api/coupons", coupon(code, percent));
    const change = (changes: object) => operator.call("PATCH", "/api/coupons/USUAL", changes);
    expect(outcome(await create("STEEP", "90"))).toEqual(refused);
    expect(await app.sql("select 1 from coupon_codes where code = 'STEEP'")).toEqual([]);
    expect((await create("USUAL", "89.99")).status).toBe(201);
    expect(outcome(await change({ discount_advanced: "100" }))).toEqual(refused);
    await app.sql("update coupon_codes set active = false where code = 'USUAL'");
    expect(outcome(await change({ discount_advanced: "95" }))).toEqual(refused);
    await app.sql("update coupon_codes set discount_advanced = 95 where code = 'USUAL'");
    expect(outcome(await change({ active: true }))).toEqual(refused);
    await byPassword(operator);
    expect((await change({ active: true })).status).toBe(200);
    await letProofExpire(app, operator);
    expect((await change({ active: false })).status).toBe(200);
    expect((await operator.call("DELETE", "/api/coupons/USUAL")).status).toBe(200);
  });

  it("refuses a coin price over 20% off the last or public one when unproven", async () => {
    expect((await saveSettings({ bitcoin_price_usd: "71000" })).status).toBe(200);
    // 18% above the last one, and 30% above the public one.
    expect(outcome(await saveSettings({ bitcoin_price_usd: "84000" }))).toEqual(refused);
    // 8% below the public one, and 26% below the last one, after a step-up.
    await byPassword(operator);
    expect((await saveSettings({ bitcoin_price_usd: "77000" })).status).toBe(200);
    await letProofExpire(app, operator);
    expect(outcome(await saveSettings({ bitcoin_price_usd: "59000" }))).toEqual(refused);
    expect((await operator.call("GET", "/api/wallet-settings")).body.bitcoin_price_usd).toBe("77000");
  });

  it("refuses every price change while the public price is unavailable", async () => {
    const prices = app.deps.prices;
    app.deps.prices = { usdPrice: () => Promise.reject(new Error("down")) };
    try {
      expect(outcome(await saveSettings({ bitcoin_price_usd: "60001" }))).toEqual(refused);
      expect((await saveSettings({ thai_bank_name: "" })).body.code).toBe("step_up_needed");
      expect((await saveSettings({})).status).toBe(200);
    } finally {
      app.deps.prices = prices;
    }
  });

  it("accepts a step-up, but not a sign-in, for a change of destination", async () => {
    const promptpay_id = "0812345678";
    expect(outcome(await saveSettings({ promptpay_id }))).toEqual(refused);
    operator = await admin(app);
    expect((await saveSettings({ promptpay_id })).body.code).toBe("password_confirmation_wrong");
    await byPassword(operator);
    expect((await saveSettings({ promptpay_id })).body.promptpay_id).toBe(promptpay_id);
  });

  it("refuses a wrong password for a destination also after a step-up", async () => {
    await byPassword(operator);
    const change = { promptpay_id: "0898765432" };
    expect(outcome(await saveSettings({ ...change, current_password: "nope" }))).toEqual([403, "password_confirmation_wrong"]);
    expect((await operator.call("GET", "/api/wallet-settings")).body.promptpay_id).not.toBe(change.promptpay_id);
    expect((await saveSettings(change)).body.promptpay_id).toBe(change.promptpay_id);
  });

  it("refuses a password change without the current password", async () => {
    const someone = await student(app);
    await letProofExpire(app, someone);
    const change = (form: object) => someone.call("PUT", "/auth/v1/user", { password: "an even finer password", ...form });
    expect(outcome(await change({}))).toEqual(refused);
    expect((await change({ current_password: goodPassword })).status).toBe(200);
  });
});
