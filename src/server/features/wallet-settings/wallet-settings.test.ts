import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { behindTransaction } from "../../../../tests/support/database/behind-transaction.ts";
import { saveWallets, thiefAddress } from "../../../../tests/support/wallet/guard.ts";
import { setUpWallets, walletForm } from "../../../../tests/support/payments.ts";
import { admin, outcome, type Answer, type Person } from "../../../../tests/support/people.ts";
import { letProofExpire, turnOnSecondFactor } from "../../../../tests/support/second-factor.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

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

it.each(["0", "-1", "0.001", "100000000.01", "999999999999999", "1e5", "12.345", "", "NaN", "Infinity", "0x10"])(
  "refuses a price that is not from 0.01 to 100000000 with two decimals: %s",
  async (bitcoin_price_usd) => {
    await setUpWallets(operator);

    const answer = await operator.call("PUT", "/api/wallet-settings", { ...walletForm, bitcoin_price_usd });

    expect(answer.status).toBe(400);
    expect((await operator.call("GET", "/api/wallet-settings")).body).toMatchObject(walletForm);
  },
);

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

// WALLET-6, ADMIN-5
describe("a form that was filled before another save", () => {
  const elsewhere = {
    ethereum_address: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    ethereum_price_usd: "3100",
    unique_amounts: true,
  };
  const save = (changes: Partial<typeof walletForm>, proof: object = {}): Promise<Answer> =>
    operator.call("PUT", "/api/wallet-settings", { ...walletForm, ...changes, expected: walletForm, ...proof });
  const saved = async () => (await operator.call("GET", "/api/wallet-settings")).body;
  beforeEach(async () => {
    operator = await admin(app);
    await setUpWallets(operator, elsewhere);
    await operator.call("POST", "/api/step-up", { current_password: operator.password });
  });

  it("saves the changed fields alone", async () => {
    const reply = await save({ bitcoin_price_usd: "45100" });
    expect(reply.body).toMatchObject({ ...walletForm, ...elsewhere, bitcoin_price_usd: "45100" });
    expect(await saved()).toMatchObject(reply.body);
    const [change] = await app.sql("select fields from guarded_changes order by id desc limit 1");
    expect(change).toEqual({ fields: { bitcoin_price_usd: { before: "45000", after: "45100" } } });
  });

  it("is refused where it changes a destination or the alert email", async () => {
    for (const changes of [{ bitcoin_address: thiefAddress }, { alert_email: "alerts@example.com" }]) {
      const reply = await save(changes, { current_password: operator.password });
      expect(reply).toMatchObject({ status: 409, body: { code: "wallet_settings_changed" } });
    }
    expect(await saved()).toMatchObject({ ...walletForm, ...elsewhere });
  });

  it("is saved as before when its save is repeated after a lost reply", async () => {
    await setUpWallets(operator);
    const changes = { bitcoin_address: thiefAddress, alert_email: "alerts@example.com", bitcoin_price_usd: "45100" };
    const recorded = "select id from guarded_changes";
    const first = await save(changes, { current_password: operator.password });
    const before = await app.sql(recorded);
    const again = await save(changes, { current_password: operator.password });
    expect(again).toMatchObject({ status: 200, body: { ...first.body, ...changes, updated_at: expect.any(String) } });
    expect(await app.sql(recorded)).toEqual(before);
  });

  it("changes a destination where only prices were changed", async () => {
    await setUpWallets(operator, { ethereum_price_usd: "3100" });
    expect((await save({ bitcoin_address: thiefAddress })).body).toMatchObject({
      ...walletForm,
      ethereum_price_usd: "3100",
      bitcoin_address: thiefAddress,
    });
  });

  it("needs no step-up for a price that it leaves as it was filled", async () => {
    await setUpWallets(operator, { bitcoin_price_usd: "64000" });
    await letProofExpire(app, operator);
    expect((await save({ unique_amounts: true })).body).toMatchObject({ bitcoin_price_usd: "64000", unique_amounts: true });
  });
});

// STEPUP-2
it("sets no far price by the password alone of an account with a second factor", async () => {
  const shop = await startShop();
  try {
    const { person, authenticator } = await turnOnSecondFactor(shop.app, shop.operator);
    await letProofExpire(shop.app, person);
    const change = () => saveWallets(person, { bitcoin_price_usd: "100000000" });
    expect(outcome(await change())).toEqual([403, "step_up_needed"]);
    expect((await saveWallets(person, { bitcoin_address: thiefAddress })).status).toBe(200);
    expect((await person.call("POST", "/api/step-up", { totp: authenticator.code() })).status).toBe(200);
    expect((await change()).body.bitcoin_price_usd).toBe("100000000");
  } finally {
    await shop.app.close();
  }
});

// GUARD-2
it.each([
  ["save", () => saveWallets(operator, { bitcoin_address: thiefAddress })],
  ["void quotes", () => operator.call("POST", "/api/wallet-settings/void-quotes")],
])("does not %s in a session that an undo ended while the call waited", async (_what, call) => {
  operator = await admin(app);
  await setUpWallets(operator);
  const lock = { text: "select from wallet_settings for update" };
  const end = { text: "update sessions set revoked_at = created_at where account_id = $1", values: [operator.id] };
  expect((await behindTransaction(app, lock, call, end)).status).toBe(401);
  operator = await admin(app);
  expect((await operator.call("GET", "/api/wallet-settings")).body).toMatchObject(walletForm);
});
