import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sampleWalletSettings } from "#domain/payment-methods/sample";
import { adminEmail, type TestApp } from "../../../../tests/support/app.ts";
import { admin, student, visitor, type Answer, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";
import { undoTokens } from "../../../../tests/support/wallet/guard.ts";
import * as queries from "./queries.ts";

const own = {
  bitcoin_address: "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
  ethereum_address: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
};
const noBank = { thai_bank_name: "", thai_bank_account_number: "", thai_bank_account_name: "", promptpay_id: "" };

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop({ environment: { DESTINATION_DELAY: "24h" } })));
afterAll(() => app?.close());
beforeEach(() =>
  // As `npm run seed` does.
  queries.upsertSettings(app.deps.db, { ...sampleWalletSettings, held_destinations: {}, is_sample: true }),
);

const save = (changes: Partial<typeof sampleWalletSettings>): Promise<Answer> =>
  operator.call("PUT", "/api/wallet-settings", {
    ...sampleWalletSettings,
    ...changes,
    current_password: operator.password,
  });
const quote = async () => (await (await student(app)).call("POST", "/api/quotes", { package_type: "starter" })).body;
const left = async () => (await operator.call("GET", "/api/sample-course")).body;
const doneSteps = async (): Promise<string[]> =>
  (await operator.call("GET", "/api/setup")).body.steps.flatMap(({ step, done }: { step: string; done: boolean }) =>
    done ? [step] : [],
  );

// WALLET-7
it("keeps a sample a sample when only a price is saved", async () => {
  expect((await save({ ethereum_price_usd: "3001" })).body).toMatchObject({ is_sample: true, ethereum_price_usd: "3001" });
  expect(await quote()).toMatchObject({ is_sample: true });
  expect(await left()).toMatchObject({ wallet: true });
  expect(await doneSteps()).not.toContain("destinations");
});

it("keeps the warning until the last sample destination is replaced or removed", async () => {
  expect((await save({ bitcoin_address: own.bitcoin_address })).body.is_sample).toBe(true);
  expect(await quote()).toMatchObject({ is_sample: true });
  expect((await save({ ...own, ...noBank, promptpay_id: sampleWalletSettings.promptpay_id })).body.is_sample).toBe(true);
  expect((await save({ ...own, ...noBank })).body.is_sample).toBe(false);
  expect(await quote()).toMatchObject({ is_sample: false });
  expect(await left()).toMatchObject({ wallet: false });
  expect(await doneSteps()).toContain("destinations");
});

it("delays no own destination because of samples beside it", async () => {
  const bank = { thai_bank_name: "Kasikornbank", thai_bank_account_number: "012-3-45678-9" };
  await save(bank);
  await save({ ...bank, ethereum_price_usd: "3001" });
  const [row] = await app.sql("select held_destinations from wallet_settings");
  expect(row).toEqual({ held_destinations: {} });
});

// GUARD-2
it("restores the first own destination while samples stand beside it", async () => {
  await app.sql("delete from guarded_changes");
  await save({ bitcoin_address: own.bitcoin_address });
  await save({ bitcoin_address: "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2" });
  const [token] = await undoTokens(app, adminEmail);
  expect((await visitor(app).call("POST", "/api/undo", { token })).status).toBe(200);
  operator = await admin(app);
  expect((await operator.call("GET", "/api/wallet-settings")).body.bitcoin_address).toBe(own.bitcoin_address);
});

// STATS-9
it("removes the sample destinations alone, and keeps the own ones", async () => {
  await save({ bitcoin_address: own.bitcoin_address, alert_email: "owner@example.com" });
  expect((await operator.call("DELETE", "/api/sample-course")).body).toMatchObject({ wallet: true });
  expect((await operator.call("GET", "/api/wallet-settings")).body).toMatchObject({
    ...noBank,
    bitcoin_address: own.bitcoin_address,
    ethereum_address: "",
    alert_email: "owner@example.com",
    is_sample: false,
  });
});
