import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../tests/support/app.ts";
import { behindTransaction } from "../../../../tests/support/database/behind-transaction.ts";
import { pay, setUpWallets, uploadScreenshot, type PaymentChoice } from "../../../../tests/support/payments.ts";
import { student, type Answer, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

const reject = (id: string): Promise<Answer> =>
  operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "The screenshot cannot be read." });

const resubmit = (buyer: Person, id: string, body: unknown = {}, key = randomUUID()): Promise<Answer> =>
  buyer.call("POST", `/api/payment-requests/${id}/resubmit`, body, { "idempotency-key": key });

const mine = async (buyer: Person): Promise<any[]> => (await buyer.call("GET", "/api/payment-requests/mine")).body.items;

const setTier = (buyer: Person, newRole: string): Promise<Answer> =>
  operator.call("PUT", "/functions/v1/admin-users", { userId: buyer.id, newRole });

/** Pays, and has the request rejected. */
async function rejected(buyer: Person, choice: PaymentChoice = {}): Promise<any> {
  const { id } = (await pay(buyer, choice)).body;
  return (await reject(id)).body;
}

const figures = (request: any) =>
  [
    "package_type",
    "crypto_type",
    "coupon_code",
    "original_usd",
    "discount_percent",
    "discount_usd",
    "upgrade_credit_usd",
    "amount_usd",
    "amount_crypto",
    "wallet_address",
    "paid_by_earlier_quote",
  ].map((name) => [name, request[name]]);

/** PAY-10. */
describe("submitting a rejected request again", () => {
  it("copies figures, screenshot and reference of the rejected request", async () => {
    const buyer = await student(app);
    const reference = `0x${"7".repeat(64)}`;
    const first = await rejected(buyer, { coupon_code: "LUNCH", crypto_type: "ethereum", extra: { reference } });
    const { status, body } = await resubmit(buyer, first.id);
    expect(status).toBe(201);
    expect(figures(body)).toEqual(figures(first));
    expect(body).toMatchObject({
      status: "pending",
      resubmits: first.id,
      screenshot_url: first.screenshot_url,
      reference,
      rejection_reason: null,
      decided_at: null,
    });
    expect(first.resubmits).toBeNull();
    const [row] = await app.sql("select rest_destinations from payment_requests where id = $1", [body.id]);
    expect(row).toEqual({ rest_destinations: [] });
    const [entry] = await app.sql("select action, details from audit_log where subject_id = $1", [body.id]);
    expect(entry).toMatchObject({ action: "payment-request.resubmit", details: { resubmits: first.id } });
    const mails = await app.sql("select recipient from mail_outbox order by id desc limit 2");
    expect(new Set(mails.map(({ recipient }) => recipient))).toEqual(new Set(["admin@example.com", buyer.email]));
    const { items } = (await operator.call("GET", `/api/payment-requests?search=${buyer.email}&status=pending`)).body;
    expect(items).toMatchObject([{ id: body.id, resubmits: first.id, screenshot_matches: [] }]);
  });

  it("keeps the figures after every setting changed, and marks the destination as old", async () => {
    const buyer = await student(app);
    await operator.call("POST", "/api/coupons", { code: "SPRING", discount_starter: "15", discount_advanced: "15" });
    const first = await rejected(buyer, { coupon_code: "SPRING" });
    expect(first).toMatchObject({ amount_usd: "422.45", amount_crypto: "0.00938778", destination_current: true });
    await operator.call("DELETE", "/api/coupons/SPRING");
    await setUpWallets(operator, {
      bitcoin_price_usd: "46000",
      bitcoin_address: "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
    });
    const { body } = await resubmit(buyer, first.id);
    await setUpWallets(operator);
    expect(figures(body)).toEqual(figures(first));
    expect(body.destination_current).toBe(false);
    expect((await mine(buyer)).map(({ destination_current }) => destination_current)).toEqual([true, true]);
  });

  it("marks the destination of a late payer's earlier quote as old", async () => {
    const buyer = await student(app);
    const before = (await buyer.call("POST", "/api/quotes", { package_type: "starter" })).body.id;
    await setUpWallets(operator, { bitcoin_address: "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3" });
    const first = await rejected(buyer, { extra: { paid_quote_id: before } });
    expect(first).toMatchObject({ destination_current: true, paid_by_earlier_quote: { destination_current: false } });
    await setUpWallets(operator);
    const [request] = await mine(buyer);
    expect(request).toMatchObject({ destination_current: false, paid_by_earlier_quote: { destination_current: true } });
  });

  it("keeps a late payer's claim and the consent", async () => {
    const buyer = await student(app);
    const before = (await buyer.call("POST", "/api/quotes", { package_type: "starter" })).body.id;
    const first = await rejected(buyer, { coupon_code: "LUNCH", extra: { paid_quote_id: before } });
    const { body } = await resubmit(buyer, first.id);
    expect(body.paid_by_earlier_quote).toMatchObject({ amount_usd: "497" });
    expect(figures(body)).toEqual(figures(first));
    const consents = await app.sql("select distinct consent_version, consented_at from payment_requests where user_id = $1", [
      buyer.id,
    ]);
    expect(consents).toHaveLength(1);
  });

  it("replaces the screenshot, and replaces or removes the reference", async () => {
    const buyer = await student(app);
    const first = await rejected(buyer, { extra: { reference: "8".repeat(64) } });
    const upload_id = await uploadScreenshot(buyer);
    const second = (await resubmit(buyer, first.id, { upload_id, reference: "9".repeat(64) })).body;
    expect(second.reference).toBe("9".repeat(64));
    expect(second.screenshot_url).not.toBe(first.screenshot_url);
    await reject(second.id);
    const third = (await resubmit(buyer, second.id, { reference: "" })).body;
    expect(third).toMatchObject({ reference: null, screenshot_url: second.screenshot_url, resubmits: second.id });
  });

  it("resubmits a rejected request once, and its resubmission once that is rejected", async () => {
    const buyer = await student(app);
    const first = await rejected(buyer);
    const second = (await resubmit(buyer, first.id)).body;
    expect((await resubmit(buyer, first.id)).body.code).toBe("payment_request_resubmitted");
    expect((await resubmit(buyer, second.id)).body.code).toBe("payment_request_not_rejected");
    await reject(second.id);
    expect((await resubmit(buyer, first.id)).body.code).toBe("payment_request_resubmitted");
    expect((await resubmit(buyer, second.id)).status).toBe(201);
  });

  it("refuses a resubmission for a package that is requested or owned", async () => {
    const buyer = await student(app);
    const first = await rejected(buyer);
    const other = (await pay(buyer)).body;
    expect((await resubmit(buyer, first.id)).body.code).toBe("payment_request_open");
    await reject(other.id);
    for (const tier of ["starter", "advanced"]) {
      await setTier(buyer, tier);
      expect((await resubmit(buyer, first.id)).body.code).toBe("package_owned");
    }
    await setTier(buyer, "unpaid");
    expect((await resubmit(buyer, first.id)).status).toBe(201);
    expect(await mine(buyer)).toHaveLength(3);
  });

  it("returns the stored request to a retry, and refuses its key for anything else", async () => {
    const buyer = await student(app);
    const first = await rejected(buyer);
    const key = randomUUID();
    const made = (await resubmit(buyer, first.id, {}, key)).body;
    expect((await resubmit(buyer, first.id, {}, key)).body).toEqual(made);
    await reject(made.id);
    const upload_id = await uploadScreenshot(buyer);
    const others = [
      await resubmit(buyer, first.id, { reference: "a".repeat(64) }, key),
      await resubmit(buyer, first.id, { upload_id }, key),
      await resubmit(buyer, made.id, {}, key),
    ];
    for (const { body } of others) expect(body.code).toBe("idempotency_key_reused");
    expect((await pay(buyer, { package_type: "advanced", key })).body.code).toBe("idempotency_key_reused");
    expect((await buyer.call("POST", `/api/payment-requests/${first.id}/resubmit`, {})).body.code).toBe(
      "idempotency_key_missing",
    );
  });

  it.each([
    ["one key", (key: ReturnType<typeof randomUUID>) => key, [201, 201]],
    ["two keys", () => randomUUID(), [201, 409]],
  ] as const)("stores one request for two resubmissions at once with %s", async (_keys, keyOf, statuses) => {
    const buyer = await student(app);
    const first = await rejected(buyer);
    const key = randomUUID();
    const answers = await Promise.all([0, 1].map(() => resubmit(buyer, first.id, {}, keyOf(key))));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual(statuses);
    expect(await mine(buyer)).toHaveLength(2);
  });

  it("stores one request when a new quote's submit comes at the same time", async () => {
    const buyer = await student(app);
    const first = await rejected(buyer);
    const answers = await Promise.all([resubmit(buyer, first.id), pay(buyer)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  });

  it("refuses a resubmission that waited while the package was granted", async () => {
    const buyer = await student(app);
    const first = await rejected(buyer);
    const becomesOwner = {
      text: "update profiles set subscription_status = 'starter' where id = $1",
      values: [buyer.id],
    };
    const answer = await behindTransaction(app, becomesOwner, () => resubmit(buyer, first.id));
    expect(answer.body.code).toBe("package_owned");
  });

  it("hides the request from other students, and refuses their files", async () => {
    const [buyer, stranger] = [await student(app), await student(app)];
    const first = await rejected(buyer);
    expect((await resubmit(stranger, first.id)).body.code).toBe("payment_request_not_found");
    expect((await resubmit(buyer, randomUUID())).body.code).toBe("payment_request_not_found");
    const foreign = await uploadScreenshot(stranger);
    expect((await resubmit(buyer, first.id, { upload_id: foreign })).body.code).toBe("upload_not_found");
    expect((await resubmit(buyer, first.id, { reference: "no hash" })).body.code).toBe("reference_invalid");
    expect(await mine(buyer)).toHaveLength(1);
  });

  it("refuses the screenshot of a rejected request to every other submit", async () => {
    const buyer = await student(app);
    const first = await rejected(buyer);
    const [{ screenshot_object_id: upload_id }] = (await app.sql("select * from payment_requests where id = $1", [
      first.id,
    ])) as [{ screenshot_object_id: string }];
    expect((await pay(buyer, { extra: { upload_id } })).body.code).toBe("upload_used");
    const advanced = await rejected(buyer, { package_type: "advanced" });
    expect((await resubmit(buyer, advanced.id, { upload_id })).body.code).toBe("upload_used");
  });
});
