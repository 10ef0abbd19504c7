// Over 250 lines: what one link does to one shop, case by case.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { defaultWalletSettings } from "#domain/payment-methods/settings";
import { adminEmail, startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { saveWallets, thiefAddress, undoTokens } from "../../../../../tests/support/wallet/guard.ts";
import { mailsTo } from "../../../../../tests/support/mails/received.ts";
import { pay, setUpWallets, walletForm } from "../../../../../tests/support/payments.ts";
import { admin, outcome, student, visitor, type Answer, type Person } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { upsertSettings } from "../queries.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());
beforeEach(async () => {
  operator = await admin(app);
  await setUpWallets(operator);
  await app.sql("delete from guarded_changes");
  await app.sql("delete from mail_outbox");
});

const undo = (token: string | undefined): Promise<Answer> => visitor(app).call("POST", "/api/undo", { token });
const preview = (token: string | undefined): Promise<Answer> => visitor(app).call("POST", "/api/undo/preview", { token });
const settings = async () => (await (await admin(app)).call("GET", "/api/wallet-settings")).body;
const newestToken = async (email = adminEmail) => (await undoTokens(app, email))[0];

const secondThief = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

// GUARD-2
describe("the mailed link", () => {
  it("previews what it restores and changes nothing", async () => {
    await saveWallets(operator, { bitcoin_address: thiefAddress });
    const { status, body } = await preview(await newestToken());
    expect(status).toBe(200);
    expect(body).toMatchObject({
      restores: [{ label: "Bitcoin address", before: thiefAddress, after: walletForm.bitcoin_address }],
      stays: [],
    });
    expect((await settings()).bitcoin_address).toBe(thiefAddress);
  });

  it("restores the settings, ends quotes and the admin's sessions, and is audited", async () => {
    await saveWallets(operator, { bitcoin_address: thiefAddress, bitcoin_price_usd: "46000" });
    const buyer = await student(app);
    const quote = (await buyer.call("POST", "/api/quotes", { package_type: "starter" })).body;
    expect(quote.methods[0].wallet_address).toBe(thiefAddress);
    app.clock.advance(60);

    const { status, body } = await undo(await newestToken());

    expect(status).toBe(200);
    expect(body.restored.map(({ field }: { field: string }) => field)).toEqual(["bitcoin_address", "bitcoin_price_usd"]);
    expect((await operator.call("GET", "/api/wallet-settings")).status).toBe(401);
    expect(await settings()).toMatchObject({ bitcoin_address: walletForm.bitcoin_address, bitcoin_price_usd: "45000" });
    expect((await buyer.call("GET", `/api/quotes/${quote.id}`)).body).toEqual({ is_void: true });
    const [entry] = await app.sql("select * from audit_log where action = 'wallet-settings.undo' order by id desc limit 1");
    expect(entry).toMatchObject({
      actor_id: null,
      actor_email: "undo link",
      subject_type: "wallet-settings",
      subject_id: "1",
      details: { before: { bitcoin_address: thiefAddress }, after: { bitcoin_address: walletForm.bitcoin_address } },
    });
  });

  // PRICE-1, PRICE-2
  it("gives a price that was set a new age, and leaves a default never set", async () => {
    await setUpWallets(operator, { bitcoin_price_usd: "44000" });
    await app.sql("delete from guarded_changes");
    await saveWallets(operator, { bitcoin_price_usd: "46000", ethereum_price_usd: "4000" });
    // PRICE-5: it was held before somebody set it.
    await app.sql("update coin_prices set mailed_at = $1", [app.clock.now()]);
    app.clock.advance(60);
    await undo(await newestToken());
    expect(await app.sql("select mailed_at from coin_prices where coin = 'ethereum'")).toEqual([{ mailed_at: null }]);
    expect(await settings()).toMatchObject({
      bitcoin_price_usd: "44000",
      ethereum_price_usd: "3000",
      prices_updated_at: { bitcoin: app.clock.now().toISOString(), ethereum: null },
    });
    const { items } = (await (await admin(app)).call("GET", "/api/coin-prices")).body;
    expect(items[0]).toMatchObject({ updated_by: "admin" });
    expect(items[1]).toMatchObject({ updated_by: null, warnings: expect.arrayContaining(["never_set"]) });
  });

  it("is reported to the admin and the alert address, without another link", async () => {
    await saveWallets(operator, { alert_email: "owner@example.com" });
    app.clock.advance(73 * 3600);
    operator = await admin(app);
    await saveWallets(operator, { alert_email: "thief@example.com", bitcoin_address: thiefAddress });
    await undo(await newestToken("owner@example.com"));
    for (const address of [adminEmail, "owner@example.com"]) {
      const [mail] = await mailsTo(app, address);
      expect(mail!.subject).toBe("A change of the payment settings of Pipwright was undone");
      expect(mail!.text).toContain(`Bitcoin address: now ${walletForm.bitcoin_address}, before ${thiefAddress}.`);
      expect(mail!.text).not.toContain("/undo");
    }
    expect((await mailsTo(app, "thief@example.com"))[0]!.subject).toContain("were changed");
    expect((await settings()).alert_email).toBe("owner@example.com");
  });

  it.each([["owner@example.com"], ["typo@example.com", "owner@example.com"]])(
    "is reported to an alert address that goes back to none: after %s %s",
    async (...addresses) => {
      for (const alert_email of addresses) await saveWallets(operator, { alert_email });
      await undo(await newestToken());
      expect((await settings()).alert_email).toBe("");
      const [mail] = await mailsTo(app, "owner@example.com");
      expect(mail!.subject).toBe("A change of the payment settings of Pipwright was undone");
    },
  );

  // GUARD-1
  it("leaves later alerts to the owner's address, not to one that it removed", async () => {
    await saveWallets(operator, { alert_email: "thief@example.com" });
    await undo(await newestToken());
    await saveWallets(await admin(app), { alert_email: "owner@example.com" });
    await saveWallets(await admin(app), { alert_email: "other-thief@example.com" });
    const before = await mailsTo(app, "thief@example.com");
    await saveWallets(await admin(app), { bitcoin_address: thiefAddress });
    expect((await mailsTo(app, "owner@example.com"))[0]!.text).toContain(thiefAddress);
    expect(await mailsTo(app, "thief@example.com")).toEqual(before);
  });

  it("works once, also when it is used ten times at once", async () => {
    await saveWallets(operator, { bitcoin_address: thiefAddress });
    const token = await newestToken();
    const answers = await Promise.all(Array.from({ length: 10 }, () => undo(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.code))).toEqual(
      new Set(["undo_link_used"]),
    );
    expect(await mailsTo(app, adminEmail)).toHaveLength(2);
  });

  it("leaves the link of an earlier change of which it restores only a part", async () => {
    await saveWallets(operator, { bitcoin_address: thiefAddress, ethereum_price_usd: "4000" });
    await saveWallets(operator, { bitcoin_address: secondThief, ethereum_price_usd: "4000" });
    const [second, first] = await undoTokens(app, adminEmail);
    await undo(second);
    expect(await settings()).toMatchObject({ bitcoin_address: walletForm.bitcoin_address, ethereum_price_usd: "4000" });
    expect((await undo(first)).status).toBe(200);
    expect((await settings()).ethereum_price_usd).toBe(walletForm.ethereum_price_usd);
  });

  it("leaves the link of the set-up when the undo of a later change restores it", async () => {
    await upsertSettings(app.deps.db, { ...defaultWalletSettings, held_destinations: {} });
    const { bitcoin_address, ethereum_address } = walletForm;
    const addresses = { ...defaultWalletSettings, bitcoin_address, ethereum_address };
    await saveWallets(operator, addresses);
    await saveWallets(operator, { ...addresses, bitcoin_address: thiefAddress, ethereum_address: `0x${"a1".repeat(20)}` });
    const [second, first] = await undoTokens(app, adminEmail);
    expect((await undo(second)).status).toBe(200);
    expect(await settings()).toMatchObject(addresses);
    const undone = "select undone_at is not null as undone from guarded_changes order by id";
    expect(await app.sql(undone)).toEqual([{ undone: false }, { undone: true }]);
    expect((await undo(first)).status).toBe(200);
    expect(await settings()).toMatchObject(defaultWalletSettings);
    expect(await app.sql(undone)).toEqual([{ undone: true }, { undone: true }]);
  });

  it("keeps when an earlier change was undone", async () => {
    const undoneAt = () => app.sql("select undone_at from guarded_changes order by id limit 1");
    await saveWallets(operator, { bitcoin_address: thiefAddress });
    await undo(await newestToken());
    const before = await undoneAt();
    app.clock.advance(60);
    operator = await admin(app);
    await saveWallets(operator, { bitcoin_address: secondThief });
    expect((await undo(await newestToken())).status).toBe(200);
    expect(await undoneAt()).toEqual(before);
  });

  it("works at a process whose clock is behind that of the change", async () => {
    const ahead = await startApp({ beside: app });
    ahead.clock.advance(60);
    await saveWallets(await admin(ahead), { bitcoin_address: thiefAddress });
    expect((await undo(await newestToken())).status).toBe(200);
    expect((await settings()).bitcoin_address).toBe(walletForm.bitcoin_address);
    await ahead.close();
  });

  it("ends after 72 hours", async () => {
    await saveWallets(operator, { bitcoin_address: thiefAddress });
    const token = await newestToken();
    app.clock.advance(72 * 3600);
    for (const call of [preview, undo]) expect((await call(token)).body.code).toBe("undo_link_expired");
    expect((await settings()).bitcoin_address).toBe(thiefAddress);
  });

  it.each(["", "none", "A".repeat(43), "%00", "A".repeat(101)])("refuses a token that nobody was mailed: %s", async (token) => {
    await saveWallets(operator, { bitcoin_address: thiefAddress });
    for (const call of [preview, undo]) expect((await call(token)).status).toBe(token.length > 100 ? 400 : 403);
    expect((await settings()).bitcoin_address).toBe(thiefAddress);
  });

  it("limits guesses of one network", async () => {
    const site = await startApp({ environment: { RATE_LIMITS: "on" } });
    try {
      const statuses: number[] = [];
      for (let guess = 0; guess < 31; guess += 1) {
        statuses.push((await visitor(site).call("POST", "/api/undo", { token: "guess" })).status);
      }
      expect(statuses.slice(-2)).toEqual([403, 429]);
    } finally {
      await site.close();
    }
  });

  it("is not followed by a GET of a mail scanner", async () => {
    await saveWallets(operator, { bitcoin_address: thiefAddress });
    const token = await newestToken();
    await visitor(app).call("GET", `/undo?token=${token}`);
    for (const path of [`/api/undo?token=${token}`, `/api/undo/preview?token=${token}`]) {
      expect((await visitor(app).call("GET", path)).status).toBeGreaterThanOrEqual(400);
    }
    expect((await settings()).bitcoin_address).toBe(thiefAddress);
  });
});

describe("a thief with the password", () => {
  it("cannot hide the former address under further changes", async () => {
    await saveWallets(operator, { bitcoin_address: thiefAddress });
    await saveWallets(operator, { bitcoin_address: secondThief });
    const [second, first] = await undoTokens(app, adminEmail);
    await undo(second);
    expect((await settings()).bitcoin_address).toBe(walletForm.bitcoin_address);
    expect((await undo(first)).body.code).toBe("undo_link_used");
  });

  it("cannot bring their address back by the link of the owner's own correction", async () => {
    await saveWallets(operator, { bitcoin_address: thiefAddress, alert_email: "thief@example.com" });
    await saveWallets(operator, { bitcoin_address: walletForm.bitcoin_address, alert_email: "" });
    expect((await undo(await newestToken("thief@example.com"))).body.code).toBe("undo_nothing_left");
    expect(await settings()).toMatchObject({ bitcoin_address: walletForm.bitcoin_address, alert_email: "" });
  });

  it("cannot bring their alert address back by a link mailed there", async () => {
    await saveWallets(operator, { alert_email: "thief@example.com" });
    await saveWallets(operator, { alert_email: "thief@example.com", bitcoin_address: thiefAddress });
    await undo((await undoTokens(app, adminEmail))[1]);
    expect((await settings()).alert_email).toBe("");
    await undo(await newestToken("thief@example.com"));
    expect(await settings()).toMatchObject({ alert_email: "", bitcoin_address: walletForm.bitcoin_address });
  });

  it("leaves no open quote with their address when an undo and quotes come at once", async () => {
    await saveWallets(operator, { bitcoin_address: thiefAddress });
    const buyers = await Promise.all(Array.from({ length: 4 }, () => student(app)));
    const token = await newestToken();
    const quotes = buyers.flatMap((buyer) =>
      Array.from({ length: 5 }, async () => ({
        buyer,
        quote: (await buyer.call("POST", "/api/quotes", { package_type: "starter" })).body,
      })),
    );
    const [made, { status }] = await Promise.all([Promise.all(quotes), undo(token)]);
    expect(status).toBe(200);
    for (const { buyer, quote } of made) {
      const { is_void } = (await buyer.call("GET", `/api/quotes/${quote.id}`)).body;
      expect(quote.methods[0].wallet_address === thiefAddress).toBe(is_void);
    }
  });

  it("wins or loses as a whole when a save and an undo come at once", async () => {
    await saveWallets(operator, { bitcoin_address: thiefAddress });
    const [saved, undone] = await Promise.all([
      saveWallets(operator, { bitcoin_address: secondThief }),
      undo(await newestToken()),
    ]);
    expect([
      [200, undefined],
      [401, "not_signed_in"],
    ]).toContainEqual(outcome(saved));
    expect(undone.status).toBe(200);
    const { bitcoin_address } = await settings();
    if (saved.status === 401) expect(bitcoin_address).toBe(walletForm.bitcoin_address);
    if (bitcoin_address !== walletForm.bitcoin_address) {
      expect(bitcoin_address).toBe(secondThief);
      await undo(await newestToken());
      expect((await settings()).bitcoin_address).toBe(walletForm.bitcoin_address);
    }
  });
});

it("restores no sample address", async () => {
  await app.sql("update wallet_settings set is_sample = true");
  operator = await admin(app);
  await saveWallets(operator, { bitcoin_address: thiefAddress });
  await undo(await newestToken());
  expect((await settings()).bitcoin_address).toBe("");
});

it("says which fields of a change stay because they were changed in another way", async () => {
  await saveWallets(operator, { bitcoin_address: thiefAddress, bitcoin_price_usd: "46000" });
  await app.sql("update wallet_settings set bitcoin_price_usd = 46500");
  const token = await newestToken();
  expect((await preview(token)).body).toMatchObject({
    restores: [{ field: "bitcoin_address" }],
    stays: ["Bitcoin price (USD)"],
  });
  await undo(token);
  expect((await settings()).bitcoin_price_usd).toBe("46500");
});

it("marks requests that were paid to the thief's address", async () => {
  await saveWallets(operator, { bitcoin_address: thiefAddress });
  const request = await pay(await student(app));
  expect(request.body).toMatchObject({ wallet_address: thiefAddress, destination_current: true });
  await undo(await newestToken());
  const { body } = await (await admin(app)).call("GET", `/api/payment-requests/${request.body.id}`);
  expect(body).toMatchObject({ destination_current: false });
});
