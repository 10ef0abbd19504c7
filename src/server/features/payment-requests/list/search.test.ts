import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { pay, setUpWallets, walletForm } from "../../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { partialPayments } from "../../../../../tests/support/payment-requests/partial-payments.ts";
import { insertRequest, reviewList } from "../../../../../tests/support/payment-requests/review-list.ts";
import { startShop } from "../../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
let list: ReturnType<typeof reviewList>;
beforeAll(async () => {
  ({ app, operator } = await startShop());
  list = reviewList(operator);
});
afterAll(() => app?.close());

// LIST-2.
describe("the search", () => {
  it("finds a request by any part of its payer, address, reference or amounts", async () => {
    const buyer = await student(app);
    await app.sql("update profiles set full_name = 'อรทัย Chloé García' where id = $1", [buyer.id]);
    const choice = { package_type: "advanced", crypto_type: "ethereum", coupon_code: "LUNCH" } as const;
    const hash = "7c".repeat(26) + "deadbeef0042";
    const { body } = await pay(buyer, { ...choice, extra: { reference: `0x${hash}` } });
    const approved = (await operator.call("POST", `/api/payment-requests/${body.id}/approve`)).body;
    const texts = [
      buyer.email,
      buyer.email.toUpperCase(),
      buyer.email.slice(8, 20),
      "อรทัย",
      "รทั",
      "CHLOÉ",
      "garcía อรทัย",
      "hloé",
      walletForm.ethereum_address,
      walletForm.ethereum_address.slice(5, 20).toLowerCase(),
      `0x${hash}`,
      hash.slice(40, 60).toUpperCase(),
      "adbeef0042",
      "LUNCH",
      approved.receipt_number,
      approved.amount_usd,
      `${approved.amount_usd} USD`,
      `$${approved.amount_usd}`,
      approved.amount_crypto,
      approved.amount_crypto.slice(0, 6),
      // The beginnings of words alone, where there are not three letters.
      "Ch",
      "g",
      "อ",
    ];
    for (const text of texts) expect(await list.found(text), text).toContain(body.id);
    for (const text of ["hl", "รท", "arcía lunch nowhere", "THB chlo", "0xdeadbeef0042", `${approved.amount_crypto}9`]) {
      expect(await list.found(text), text).not.toContain(body.id);
    }
  });

  it("finds a request by what was sent or written later", async () => {
    const { asked, sendRest } = partialPayments(app, operator);
    const { buyer, id } = await asked({ reference: "FIRSTPART77" });
    expect(await list.found("SECONDPART88")).toEqual([]);
    await sendRest(buyer, id, { reference: "SECONDPART88" });
    for (const text of ["firstpart77", "secondpart88", "econdpart8", "468.50", "10,000.00 THB"])
      expect(await list.found(text), text).toContain(id);
  });

  it("finds a request that was submitted again by its earlier address and amount", async () => {
    const id = await insertRequest(app, { reference: "EARLIERQUOTE1" });
    await app.sql(
      `update payment_requests set earlier_amount_usd = 497, earlier_amount_crypto = 0.0071, earlier_wallet_address = 'bc1qearlieraddress',
         earlier_quoted_at = created_at where id = $1`,
      [id],
    );
    for (const text of ["earlieraddress", "0.0071", "0.00710 BTC"]) expect(await list.found(text), text).toContain(id);
  });

  it.each([
    ["%", "100%_sure"],
    ["_", "100%_sure"],
    ["%_s", "100%_sure"],
    ["\\", "back\\slash"],
    ["k\\s", "back\\slash"],
  ])("takes %j as itself", async (search, name) => {
    const id = await insertRequest(app, { name: `x ${name}` });
    const other = await insertRequest(app, { name: "x 100 sure" });
    const listed = await list.found(search);
    if (search.length > 2) expect(listed).toContain(id);
    expect(listed).not.toContain(other);
  });

  it.each([
    "' or 1=1 --",
    "a".repeat(200),
    "ก".repeat(200),
    "😀",
    "👩‍👩‍👧‍👦",
    "\u0e48",
    "กำ",
    "ก\u0e4d\u0e32",
    "İ",
    "ß",
    "\ud800",
    "a ".repeat(100),
    "%00",
    "\u200b",
    "{a}",
  ])("takes any text: %j", async (search) => {
    expect((await list.read({ search })).status).toBe(200);
  });

  it.each(["\u0000", "a\u0001b", "a".repeat(201)])(
    "refuses control characters and texts that are too long: %j",
    async (search) => {
      expect((await list.read({ search })).status).toBe(400);
    },
  );

  it("finds emoji and marks of Thai that stand above and below", async () => {
    const id = await insertRequest(app, { name: "น้ำผึ้ง 👩‍🚀" });
    for (const text of ["น้ำผึ้ง", "้ำผ", "👩‍🚀"]) expect(await list.found(text), text).toContain(id);
  });

  it.each(["Σίσυφος Παπάς", "ΣΊΣΥΦΟΣ ΠΑΠΆΣ"])("finds a Greek name in any letter case: %s", async (name) => {
    const id = await insertRequest(app, { name });
    for (const text of ["Σίσυφος", "ΣΊΣΥΦΟΣ", "παπάς", "ΠΑΠΆΣ", "ΦΟΣ", "σ", "Σί"])
      expect(await list.found(text), text).toContain(id);
    expect(await list.found("ος")).not.toContain(id);
  });

  it("finds a bank's name whose accents were typed as marks of their own", async () => {
    await setUpWallets(operator, { thai_bank_name: "Nga\u0302n ha\u0300ng" });
    const { body } = await pay(await student(app), { crypto_type: "thai_bank" });
    expect(body.wallet_address).toContain("Nga\u0302n ha\u0300ng");
    for (const text of ["Ng\u00e2n", "ha\u0300ng"]) expect(await list.found(text), text).toContain(body.id);
    await setUpWallets(operator);
  });

  it("has the text that it looks in stored for every request", async () => {
    const [row] = await app.sql<{ missing: number }>(
      "select count(*)::integer as missing from payment_requests where search_text = ''",
    );
    expect(row).toEqual({ missing: 0 });
  });
});
