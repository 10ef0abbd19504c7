import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { adminEmail, startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { saveWallets, thiefAddress, undoTokens } from "../../../../../tests/support/wallet/guard.ts";
import { mailsTo } from "../../../../../tests/support/mails/received.ts";
import { setUpWallets, walletForm } from "../../../../../tests/support/payments.ts";
import { admin, student, type Person } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { settingText } from "#domain/payment-methods/settings";

const chrome = { "user-agent": "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36" };

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());
beforeEach(async () => {
  // No alert address of a former test is within its 72 hours.
  await setUpWallets(operator);
  await app.sql("delete from guarded_changes");
  await app.sql("delete from mail_outbox");
});

const recipients = async (): Promise<string[]> => {
  const rows = await app.sql<{ recipient: string }>("select recipient from mail_outbox order by id");
  return rows.map(({ recipient }) => recipient);
};

// GUARD-1
describe("a change of the payment settings", () => {
  it.each([
    ["bitcoin_address", "Bitcoin address", thiefAddress],
    ["ethereum_address", "Ethereum address", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"],
    ["thai_bank_account_number", "Account number", "999-9-99999-9"],
    ["promptpay_id", "PromptPay ID", "0812345678"],
    ["bitcoin_price_usd", "Bitcoin price (USD)", "46000"],
    ["alert_email", "Alert email", "owner@example.com"],
  ] as const)("is mailed to the admin with old and new value: %s", async (field, label, value) => {
    expect((await saveWallets(operator, { [field]: value })).body[field]).toBe(value);
    const [mail] = await mailsTo(app, adminEmail);
    expect(mail!.text).toContain(
      `${label}: now ${settingText(field, value)}, before ${settingText(field, walletForm[field]) || "empty"}.`,
    );
    expect(mail!.text).toMatch(/\nUndo this change:\nhttp:\/\/localhost:\d+\/undo#[\w-]{43}\n/);
  });

  it("names account, network, device and time", async () => {
    const at = app.clock.now().toISOString();
    const form = { ...walletForm, bitcoin_address: thiefAddress, current_password: operator.password };
    await operator.call("PUT", "/api/wallet-settings", form, chrome);
    const [mail] = await mailsTo(app, adminEmail);
    const time = `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
    expect(mail!.text).toContain(`Changed by ${adminEmail} at ${time}, from 127.0.0.1, with Chrome on Windows.`);
  });

  it("is mailed to the admin alone where there is no alert address", async () => {
    await saveWallets(operator, { bitcoin_address: thiefAddress });
    expect(await recipients()).toEqual([adminEmail]);
  });

  it("is mailed to the alert address too", async () => {
    await saveWallets(operator, { alert_email: "owner@example.com" });
    await app.sql("delete from mail_outbox");
    await saveWallets(operator, { alert_email: "owner@example.com", bitcoin_address: thiefAddress });
    expect(await recipients()).toEqual([adminEmail, "owner@example.com"]);
  });

  it("is mailed when a price alone is set or taken from the price service", async () => {
    await operator.call("PUT", "/api/coin-prices/bitcoin", { usd: "60000" });
    expect((await mailsTo(app, adminEmail))[0]!.text).toContain("Bitcoin price (USD): now 60,000, before 45,000.");
    await operator.call("POST", "/api/coin-prices/fetch");
    expect((await mailsTo(app, adminEmail))[0]!.text).toContain("Bitcoin price (USD): now 64,250.5, before 60,000.");
    await operator.call("POST", "/api/coin-prices/fetch");
    expect((await operator.call("PUT", "/api/coin-prices/bitcoin", { usd: "64250.5" })).status).toBe(200);
    expect(await mailsTo(app, adminEmail)).toHaveLength(2);
    expect(await app.sql("select 1 from guarded_changes")).toHaveLength(2);
  });

  it("is mailed to nobody when nothing changes or the save is refused", async () => {
    await saveWallets(operator, { bitcoin_price_usd: "45000.00", ethereum_address: walletForm.ethereum_address.toLowerCase() });
    await operator.call("PUT", "/api/wallet-settings", { ...walletForm, bitcoin_address: thiefAddress });
    expect(await recipients()).toEqual([]);
    expect(await app.sql("select 1 from guarded_changes")).toEqual([]);
  });

  it("reaches the former alert address, and the one of 72 hours ago with every alert", async () => {
    await saveWallets(operator, { alert_email: "owner@example.com" });
    app.clock.advance(73 * 3600);
    operator = await admin(app);
    await app.sql("delete from mail_outbox");
    await saveWallets(operator, { alert_email: "thief-1@example.com" });
    await saveWallets(operator, { alert_email: "thief-2@example.com" });
    await app.sql("delete from mail_outbox");
    await saveWallets(operator, { alert_email: "thief-2@example.com", bitcoin_address: thiefAddress });
    expect(await recipients()).toEqual([adminEmail, "thief-2@example.com", "owner@example.com"]);
  });

  it("takes the first alert address of the 72 hours, wherever its row is stored", async () => {
    for (const alert_email of ["owner@example.com", "thief-1@example.com", "thief-2@example.com"]) {
      await saveWallets(operator, { alert_email });
      if (alert_email === "owner@example.com") app.clock.advance(73 * 3600);
      if (alert_email === "owner@example.com") operator = await admin(app);
    }
    // PostgreSQL writes a changed row anew, behind the others.
    await app.sql(`update guarded_changes set device = 'moved' where fields->'alert_email'->>'after' = 'thief-1@example.com'`);
    await app.sql("delete from mail_outbox");
    await saveWallets(operator, { alert_email: "thief-2@example.com", bitcoin_address: thiefAddress });
    expect(await recipients()).toEqual([adminEmail, "thief-2@example.com", "owner@example.com"]);
  });

  it("does not reach an alert address that was replaced more than 72 hours ago", async () => {
    await saveWallets(operator, { alert_email: "old@example.com" });
    await saveWallets(operator, { alert_email: "owner@example.com" });
    app.clock.advance(73 * 3600);
    operator = await admin(app);
    await app.sql("delete from mail_outbox");
    await saveWallets(operator, { alert_email: "owner@example.com", bitcoin_address: thiefAddress });
    expect(await recipients()).toEqual([adminEmail, "owner@example.com"]);
  });

  it("links to PUBLIC_URL whatever host the request names", async () => {
    const site = await startApp({ environment: { PUBLIC_URL: "https://course.example" } });
    try {
      const thief = await admin(site);
      await fetch(`${site.url}/api/wallet-settings`, {
        method: "PUT",
        headers: {
          authorization: `Bearer ${thief.accessToken}`,
          "content-type": "application/json",
          "x-forwarded-host": "evil.example",
        },
        body: JSON.stringify({ ...walletForm, current_password: thief.password }),
      });
      expect((await mailsTo(site, adminEmail))[0]!.text).toContain("https://course.example/undo#");
    } finally {
      await site.close();
    }
  });

  it("makes no links of what was typed", async () => {
    await saveWallets(operator, { thai_bank_account_name: "undo at https://evil.example/undo" });
    expect((await mailsTo(app, adminEmail))[0]!.text).toContain("undo at https: / / evil. example/ undo");
  });

  it("needs the password or a step-up for the alert address", async () => {
    const form = { ...walletForm, alert_email: "thief@example.com" };
    expect((await operator.call("PUT", "/api/wallet-settings", form)).body.code).toBe("password_confirmation_wrong");
    expect(await saveWallets(operator, { alert_email: "a@example.com\r\nBcc: b@example.com" })).toMatchObject({
      status: 400,
      body: { code: "invalid_input", error: "Please enter a valid email address." },
    });
  });

  it("stores the hash of the link's token, and the token nowhere", async () => {
    await saveWallets(operator, { bitcoin_address: thiefAddress });
    const [token] = await undoTokens(app, adminEmail);
    const hashes = await app.sql("select undo_token_hash from guarded_changes");
    expect(hashes).toEqual([{ undo_token_hash: createHash("sha256").update(token!).digest() }]);
    const rows = await app.sql<{ row: string }>(
      "select guarded_changes::text as row from guarded_changes union all select audit_log::text from audit_log",
    );
    expect(rows.length).toBeGreaterThan(1);
    for (const { row } of rows) expect(row).not.toContain(token);
  });
});

// GUARD-3
describe("the admin's list of changes", () => {
  it("has the changes of 72 hours with where they came from, newest first", async () => {
    await saveWallets(operator, { bitcoin_address: thiefAddress });
    await saveWallets(operator, { bitcoin_address: thiefAddress, bitcoin_price_usd: "46000" });
    const { body } = await operator.call("GET", "/api/wallet-settings/changes");
    expect(body.items).toMatchObject([
      { changes: [{ label: "Bitcoin price (USD)", before: "45000", after: "46000" }], undone_at: null },
      { changes: [{ label: "Bitcoin address", before: walletForm.bitcoin_address, after: thiefAddress }], by: adminEmail },
    ]);
    expect(body.items[0]).toMatchObject({ network: "127.0.0.1", at: expect.stringMatching(/Z$/) });
    app.clock.advance(72 * 3600);
    operator = await admin(app);
    expect((await operator.call("GET", "/api/wallet-settings/changes")).body.items).toEqual([]);
  });

  it("is for the admin alone", async () => {
    expect((await (await student(app)).call("GET", "/api/wallet-settings/changes")).status).toBe(403);
  });
});

it("slows down a flood of saves", async () => {
  const site = await startApp({ environment: { RATE_LIMITS: "on" } });
  try {
    const thief = await admin(site);
    const statuses = [];
    for (let price = 1; price <= 31; price += 1) {
      // Without the password: refused ones count too.
      statuses.push(
        (await thief.call("PUT", "/api/wallet-settings", { ...walletForm, bitcoin_price_usd: String(price) })).status,
      );
    }
    expect(statuses.slice(-2)).toEqual([403, 429]);
  } finally {
    await site.close();
  }
});
