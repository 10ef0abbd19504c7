import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { TestApp } from "../../../../tests/support/app.ts";
import { decisions } from "../../../../tests/support/payment-requests/decisions.ts";
import { student, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";
import { soon } from "../../../../tests/support/soon.ts";
import { typeOf, webhookReceiver, type WebhookReceiver } from "../../../../tests/support/webhooks/receiver.ts";
import { startWebhooks, type WebhookSender } from "./sender.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

let receiver: WebhookReceiver;
let app: TestApp;
let operator: Person;
let does: ReturnType<typeof decisions>;
let sender: WebhookSender;
beforeAll(async () => {
  receiver = await webhookReceiver();
  const environment = { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: secret, PUBLIC_URL: "https://course.example.com" };
  ({ app, operator } = await startShop({ environment }));
  does = decisions(app, operator);
  sender = startWebhooks({ ...app.deps, onError: () => {} })!;
});
afterAll(async () => {
  await sender?.stop();
  await app?.close();
  await receiver?.stop();
});
beforeEach(() => void (receiver.received.length = 0));
afterEach(() => vi.restoreAllMocks());

const arrived = (count: number) =>
  soon(() => {
    expect(receiver.received).toHaveLength(count);
    return receiver.received;
  });
const dataOf = ({ body }: { body: string }): Record<string, unknown> => JSON.parse(body).data;
const countEvents = async (): Promise<number> => (await app.sql("select 1 from webhook_events")).length;

// WEBHOOK-1, WEBHOOK-2
describe("what happens to a payment request", () => {
  it("is reported when it is submitted and approved, in that order", async () => {
    const buyer = await student(app);
    const id = await does.request(buyer, { crypto_type: "thai_bank", extra: { reference: "100000000001" } });
    await does.approve(id);
    const [submitted, approved] = await arrived(2);
    expect(JSON.parse(submitted!.body)).toEqual({
      type: "payment_request.submitted",
      timestamp: app.clock.now().toISOString(),
      data: {
        id,
        status: "pending",
        package_type: "starter",
        original_usd: expect.stringMatching(/^\d+(\.\d+)?$/),
        discount_percent: "0",
        coupon_code: null,
        upgrade_credit_usd: "0",
        amount_usd: expect.stringMatching(/^\d+(\.\d+)?$/),
        crypto_type: "thai_bank",
        currency: "THB",
        amount_crypto: expect.stringMatching(/^\d+\.\d\d$/),
        amount_received: null,
        reference: "100000000001",
        user_id: buyer.id,
        email: buyer.email,
        resubmits: null,
        created_at: app.clock.now().toISOString(),
        decided_at: null,
        receipt_number: null,
        url: `https://course.example.com/admin/payments/${id}`,
        reason: null,
        cancelled_receipt_number: null,
      },
    });
    expect(typeOf(approved!)).toBe("payment_request.approved");
    expect(dataOf(approved!)).toMatchObject({ id, status: "approved", receipt_number: expect.stringMatching(/^\d{4}-\d+$/) });
    expect(Object.keys(dataOf(approved!))).toEqual(Object.keys(dataOf(submitted!)));
  });

  it("is reported when it is rejected, submitted again and reopened", async () => {
    const buyer = await student(app);
    const rejected = await does.request(buyer);
    await does.reject(rejected, "The screenshot is of something else.");
    const again: string = (await does.resubmit(buyer, rejected, "a-key-of-16-chars")).body.id;
    const approval = await does.approve(again);
    await does.reopen(again, "The transfer came back.");
    const events = (await arrived(5)).map((one) => [typeOf(one), dataOf(one)] as const);
    // Those of one request come in order (WEBHOOK-3).
    const eventsOf = (id: string) => events.filter(([, data]) => data["id"] === id);
    expect(eventsOf(rejected)).toEqual([
      ["payment_request.submitted", expect.objectContaining({ resubmits: null })],
      ["payment_request.rejected", expect.objectContaining({ reason: "The screenshot is of something else." })],
    ]);
    expect(eventsOf(again)).toEqual([
      ["payment_request.submitted", expect.objectContaining({ resubmits: rejected, status: "pending", reason: null })],
      ["payment_request.approved", expect.objectContaining({ reason: null })],
      [
        "payment_request.reopened",
        expect.objectContaining({
          status: "pending",
          reason: "The transfer came back.",
          receipt_number: null,
          cancelled_receipt_number: approval.body.receipt_number,
        }),
      ],
    ]);
  });

  // OWN-3, ACCOUNT-8
  it("is reported with the present address while the account exists", async () => {
    const buyer = await student(app);
    const [one, two] = [await does.request(buyer), await does.request(buyer, { package_type: "advanced" })];
    await app.sql("update accounts set email = $2 where id = $1", [buyer.id, `moved-${buyer.email}`]);
    await does.approve(one);
    await does.reopen(one);
    await does.reject(one);
    await does.remove(buyer);
    await does.reject(two);
    const data = (await arrived(6)).map(dataOf);
    const addressesOf = (id: string) => data.filter((request) => request["id"] === id).map(({ email }) => email);
    const moved = `moved-${buyer.email}`;
    expect(addressesOf(one)).toEqual([buyer.email, moved, moved, moved]);
    expect(addressesOf(two)).toEqual([buyer.email, buyer.email]);
  });

  it("is not reported when the decision is refused or rolled back", async () => {
    const buyer = await student(app);
    const id = await does.request(buyer);
    await arrived(1);
    const before = await countEvents();
    vi.spyOn(app.deps.outbox, "enqueue").mockRejectedValueOnce(new Error("The mail cannot be written."));
    expect((await does.approve(id)).status).toBe(500);
    expect((await does.reject(id, "")).status).toBe(400);
    expect(await countEvents()).toBe(before);
    await does.approve(id);
    expect((await does.approve(id)).status).toBe(409);
    expect(await countEvents()).toBe(before + 1);
    await arrived(2);
  });

  it("is not written without WEBHOOK_URL, and nothing is sent", async () => {
    const quiet = await startShop();
    try {
      expect(startWebhooks({ ...quiet.app.deps, onError: () => {} })).toBeUndefined();
      await decisions(quiet.app, quiet.operator).request(await student(quiet.app));
      expect(await quiet.app.sql("select 1 from webhook_events")).toEqual([]);
    } finally {
      await quiet.app.close();
    }
  });
});

type Verify = (headers: object, body: string, secret: string) => object | undefined;

/** The lines of docs/operations.md, by which a receiver proves where an event comes from. */
async function documentedVerify(): Promise<Verify> {
  const [, code = ""] = /```js\n(import \{ createHmac.*?)```/s.exec(readFileSync("docs/operations.md", "utf8")) ?? [];
  const module = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);
  return module.verified as Verify;
}

// WEBHOOK-2
it("is signed so that the lines of docs/operations.md prove it", async () => {
  const verify = await documentedVerify();
  await does.request(await student(app));
  const [{ headers, body }] = (await arrived(1)) as [WebhookReceiver["received"][0]];
  expect(verify(headers, body, secret)).toEqual(JSON.parse(body));
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "user-agent": "Pipwright",
    "webhook-id": expect.stringMatching(/^[\da-f-]{36}$/),
  });

  expect(verify(headers, body.replace("pending", "approved"), secret)).toBeUndefined();
  expect(verify({ ...headers, "webhook-id": "another" }, body, secret)).toBeUndefined();
  expect(verify({ ...headers, "webhook-signature": undefined }, body, secret)).toBeUndefined();
  expect(verify(headers, body, "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")).toBeUndefined();
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 301_000);
  expect(verify(headers, body, secret)).toBeUndefined();
});
