import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bitcoinAddressFaults } from "#domain/payment-methods/bitcoin/texts";
import { ethereumAddressFaults } from "#domain/payment-methods/ethereum/texts";
import { thaiBankTexts } from "#domain/payment-methods/thai-bank/texts";
import type { TestApp } from "../../../../tests/support/app.ts";
import { setUpWallets, walletForm } from "../../../../tests/support/payments.ts";
import { student, type Answer, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());
beforeEach(() => setUpWallets(operator));

const save = (changes: Partial<typeof walletForm>): Promise<Answer> =>
  operator.call("PUT", "/api/wallet-settings", { ...walletForm, ...changes, current_password: operator.password });

describe("a destination that cannot be paid to", () => {
  it.each([
    ["bitcoin_address", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", bitcoinAddressFaults.wrong_checksum],
    ["bitcoin_address", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", bitcoinAddressFaults.wrong_checksum],
    ["bitcoin_address", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd", bitcoinAddressFaults.wrong_checksum],
    ["bitcoin_address", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", bitcoinAddressFaults.wrong_network],
    ["bitcoin_address", "mo9ncXisMeAoXwqcV5EWuyncbmCcQN4rVs", bitcoinAddressFaults.wrong_network],
    ["bitcoin_address", walletForm.ethereum_address, bitcoinAddressFaults.wrong_network],
    ["bitcoin_address", "bc1qW508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", bitcoinAddressFaults.mixed_case],
    ["bitcoin_address", "send it to Somchai", bitcoinAddressFaults.not_an_address],
    ["bitcoin_address", " ", "Please enter the address."],
    ["ethereum_address", "0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", ethereumAddressFaults.wrong_checksum],
    ["ethereum_address", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe", ethereumAddressFaults.not_an_address],
    ["ethereum_address", walletForm.bitcoin_address, ethereumAddressFaults.wrong_network],
    ["promptpay_id", "12345", thaiBankTexts.promptpay_id_invalid],
  ])("refuses a wrong destination with the reason: %s %s", async (field, text, reason) => {
    const answer = await save({ [field]: text });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: reason, code: "invalid_input" });
    expect((await operator.call("GET", "/api/wallet-settings")).body).toMatchObject(walletForm);
  });
});

describe("an address that is right", () => {
  it("stores destinations in their normal form", async () => {
    const answer = await save({
      bitcoin_address: ` ${walletForm.bitcoin_address.toUpperCase()} `,
      ethereum_address: "0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359",
      promptpay_id: "+66 81-234-5678",
    });
    expect(answer.body).toMatchObject({
      bitcoin_address: walletForm.bitcoin_address,
      ethereum_address: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
      promptpay_id: "0812345678",
    });
    expect((await operator.call("GET", "/api/wallet-settings")).body).toMatchObject(answer.body);
  });

  it("needs the password for another destination, not for another spelling", async () => {
    const withoutPassword = (changes: Partial<typeof walletForm>): Promise<Answer> =>
      operator.call("PUT", "/api/wallet-settings", { ...walletForm, ...changes });
    expect((await withoutPassword({ ethereum_address: walletForm.ethereum_address.toLowerCase() })).status).toBe(200);
    // As an earlier version may have stored it.
    await app.sql("update wallet_settings set ethereum_address = lower(ethereum_address)");
    expect((await withoutPassword({})).body.ethereum_address).toBe(walletForm.ethereum_address);
    for (const changes of [
      { promptpay_id: "0812345678" },
      { ethereum_address: "0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359" },
    ]) {
      expect((await withoutPassword(changes)).body.code).toBe("password_confirmation_wrong");
    }
  });
});

// WALLET-2
it("stores an account number in another notation, as no change", async () => {
  const account = { ...walletForm, thai_bank_account_number: "123-4-56789-0" };
  await save(account);
  const recorded = "select id from guarded_changes";
  const before = await app.sql(recorded);
  for (const [number, expected] of [
    ["1234567890", account],
    ["123 456 7890", undefined],
  ] as const) {
    const form = { ...account, thai_bank_account_number: number, expected };
    const answer = await operator.call("PUT", "/api/wallet-settings", form);
    expect(answer).toMatchObject({ status: 200, body: { thai_bank_account_number: number } });
  }
  expect(await app.sql(recorded)).toEqual(before);
  const other = { ...account, thai_bank_account_number: "1234567891" };
  const refused = await operator.call("PUT", "/api/wallet-settings", other);
  expect(refused.body.code).toBe("password_confirmation_wrong");
});

describe("the PromptPay ID", () => {
  const bankOf = (quote: Answer) => quote.body.methods[2].bank;
  const quote = async (buyer: Person): Promise<Answer> => buyer.call("POST", "/api/quotes", { package_type: "starter" });

  it("quotes the PromptPay ID with the bank account", async () => {
    const buyer = await student(app);
    expect(bankOf(await quote(buyer)).promptpay_id).toBe("");
    await save({ promptpay_id: "1234567890123" });
    expect(bankOf(await quote(buyer))).toEqual({
      name: walletForm.thai_bank_name,
      account_number: walletForm.thai_bank_account_number,
      account_name: walletForm.thai_bank_account_name,
      promptpay_id: "1234567890123",
    });
  });

  it("keeps the PromptPay ID of a quote when the admin changes it", async () => {
    await save({ promptpay_id: "0812345678" });
    const { body } = await quote(await student(app));
    await save({ promptpay_id: "0899999999" });
    const [row] = await app.sql("select methods from quotes where id = $1", [body.id]);
    expect(row?.methods).toMatchObject([{}, {}, { crypto_type: "thai_bank", bank: { promptpay_id: "0812345678" } }]);
  });

  it("quotes no bank transfer for a PromptPay ID without an account", async () => {
    await save({ promptpay_id: "0812345678", thai_bank_account_number: "" });
    const { body } = await quote(await student(app));
    expect(body.methods[2]).toMatchObject({ available: false, wallet_address: "" });
    expect(body.methods[2].bank).toBeUndefined();
  });
});
