import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { adminEmail, type TestApp } from "../../../../../tests/support/app.ts";
import { saveWallets, thiefAddress, undoTokens } from "../../../../../tests/support/guard.ts";
import { mailsTo } from "../../../../../tests/support/mails.ts";
import { pay, setUpWallets, walletForm } from "../../../../../tests/support/payments.ts";
import { admin, student, visitor, type Person } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop({ environment: { DESTINATION_DELAY: "24h" } })));
afterAll(() => app?.close());
beforeEach(async () => {
  operator = await admin(app);
  await setUpWallets(operator);
  app.clock.advance(100 * 3600);
  operator = await admin(app);
});

const quoted = async (): Promise<string> =>
  (await (await student(app)).call("POST", "/api/quotes", { package_type: "starter" })).body.methods[0].wallet_address;

// GUARD-5
describe("with DESTINATION_DELAY", () => {
  it("quotes the first destination at once, and a new one after the delay", async () => {
    expect(await quoted()).toBe(walletForm.bitcoin_address);
    await saveWallets(operator, { bitcoin_address: thiefAddress });
    expect(await quoted()).toBe(walletForm.bitcoin_address);
    app.clock.advance(24 * 3600);
    expect(await quoted()).toBe(thiefAddress);
  });

  it("says in the mail and in the admin's list from when it is quoted", async () => {
    await saveWallets(operator, { bitcoin_address: thiefAddress });
    const at = new Date(app.clock.now().getTime() + 24 * 3600 * 1000).toISOString();
    const { body } = await operator.call("GET", "/api/wallet-settings/changes");
    expect(body.takes_effect).toEqual([{ crypto_type: "bitcoin", at }]);
    const time = `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
    expect((await mailsTo(app, adminEmail))[0]!.text).toContain(`Bitcoin: students see the new destination from ${time}`);
  });

  it("never quotes a destination that is undone within the delay", async () => {
    await saveWallets(operator, { bitcoin_address: thiefAddress });
    const [token] = await undoTokens(app, adminEmail);
    expect((await visitor(app).call("POST", "/api/undo", { token })).status).toBe(200);
    expect(await quoted()).toBe(walletForm.bitcoin_address);
    app.clock.advance(24 * 3600);
    expect(await quoted()).toBe(walletForm.bitcoin_address);
  });

  it("counts the former and the new destination as current during the delay", async () => {
    const former = (await pay(await student(app))).body;
    await saveWallets(operator, { bitcoin_address: thiefAddress });
    const isCurrent = async (): Promise<boolean> =>
      (await operator.call("GET", `/api/payment-requests/${former.id}`)).body.destination_current;
    expect(await isCurrent()).toBe(true);
    app.clock.advance(24 * 3600);
    operator = await admin(app);
    expect(await isCurrent()).toBe(false);
  });
});
