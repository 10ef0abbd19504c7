import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { adminEmail, type TestApp } from "../../../../../tests/support/app.ts";
import { saveWallets, thiefAddress, undoTokens } from "../../../../../tests/support/wallet/guard.ts";
import { mailsTo } from "../../../../../tests/support/mails/received.ts";
import { pay, setUpWallets, walletForm } from "../../../../../tests/support/payments.ts";
import { admin, student, visitor, type Person } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";

const thiefKeys = [
  "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs",
  "xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj",
];

const secondThief = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

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

const quoted = async (on = app): Promise<string> =>
  (await (await student(on)).call("POST", "/api/quotes", { package_type: "starter" })).body.methods[0].wallet_address;

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
    expect((await mailsTo(app, adminEmail))[0]!.text).toContain(`Bitcoin: students see the saved destination from ${time}`);
  });

  it("never quotes a destination that is undone within the delay", async () => {
    await saveWallets(operator, { bitcoin_address: thiefAddress });
    const [token] = await undoTokens(app, adminEmail);
    expect((await visitor(app).call("POST", "/api/undo", { token })).status).toBe(200);
    expect(await quoted()).toBe(walletForm.bitcoin_address);
    app.clock.advance(24 * 3600);
    expect(await quoted()).toBe(walletForm.bitcoin_address);
  });

  it("quotes a restored destination at once where a thief's was in force", async () => {
    await saveWallets(operator, { bitcoin_address: thiefAddress });
    app.clock.advance(30 * 3600);
    operator = await admin(app);
    await saveWallets(operator, { bitcoin_address: secondThief });
    expect(await quoted()).toBe(thiefAddress);
    const [token] = await undoTokens(app, adminEmail);
    expect((await visitor(app).call("POST", "/api/undo", { token })).status).toBe(200);
    expect(await quoted()).toBe(walletForm.bitcoin_address);
  });

  // GUARD-2
  it("never quotes a key that a thief changed and undid, beside the owner's address", async () => {
    for (const bitcoin_xpub of thiefKeys) expect((await saveWallets(operator, { bitcoin_xpub })).status).toBe(200);
    const [token] = await undoTokens(app, adminEmail);
    const { body } = await visitor(app).call("POST", "/api/undo", { token });
    expect(body.restored).toMatchObject([{ field: "bitcoin_xpub", after: "" }]);
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

it("lets a restored destination wait that was saved within a longer delay", async () => {
  const slow = await startShop({ environment: { DESTINATION_DELAY: "100h" } });
  for (const bitcoin_address of [thiefAddress, secondThief]) {
    slow.app.clock.advance(73 * 3600);
    await saveWallets(await admin(slow.app), { bitcoin_address });
  }
  const [token] = await undoTokens(slow.app, adminEmail);
  const { body } = await visitor(slow.app).call("POST", "/api/undo", { token });
  expect(body.restored).toMatchObject([{ after: thiefAddress }]);
  expect(await quoted(slow.app)).toBe(walletForm.bitcoin_address);
  expect((await mailsTo(slow.app, adminEmail))[0]!.text).toContain("Bitcoin: students see the saved destination from ");
  await slow.app.close();
});
