import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adminEmail, type TestApp } from "../../../../tests/support/app.ts";
import { pay } from "../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";
import { auditSentence } from "#domain/audit/sentences";

let app: TestApp;
let operator: Person;
let buyer: Person;
let requestId: string;
beforeAll(async () => {
  ({ app, operator } = await startShop());
  buyer = await student(app);
  requestId = (await pay(buyer, { package_type: "advanced" })).body.id;
  await operator.call("POST", `/api/payment-requests/${requestId}/approve`);
  await operator.call("POST", "/api/coupons", { code: "HALF_OFF", discount_starter: "50", discount_advanced: "50" });
  const plan = { title: "บทเรียน 100%", description: "D", module: "M", order_index: 1, package_type: "both" };
  await operator.call("POST", "/api/videos", { ...plan, video_url: "https://films.example/x" });
});
afterAll(() => app?.close());

const list = async (query: Record<string, string> = {}): Promise<any[]> => {
  const answer = await operator.call("GET", `/api/audit-log?${new URLSearchParams(query).toString()}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.items;
};
const actions = async (query?: Record<string, string>): Promise<string[]> => (await list(query)).map(({ action }) => action);

// AUDIT-4.
describe("the list of the audit log", () => {
  it("has who did what to whom, with the values before and after, newest first", async () => {
    const entries = await list();
    expect(entries.map(({ id }) => id)).toEqual(entries.map(({ id }) => id).toSorted((one, other) => other - one));
    const approval = entries.find(({ action }) => action === "payment-request.approve");
    expect(approval).toEqual({
      id: expect.any(Number),
      at: app.clock.now().toISOString(),
      actor_email: adminEmail,
      action: "payment-request.approve",
      subject_type: "payment-request",
      subject_id: requestId,
      details: expect.objectContaining({
        before: { status: "pending", tier: "unpaid" },
        after: { status: "approved", tier: "advanced", receipt_number: expect.any(String) },
      }),
      ip: "127.0.0.1",
    });
    expect(auditSentence(approval)).toBe(`approved the payment of ${buyer.email} (Advanced, 997 USD), tier unpaid → advanced`);
  });

  it("is filtered by actor, action and subject", async () => {
    expect(await actions({ actor: buyer.email })).toEqual(["payment-request.submit"]);
    expect(await actions({ action: "coupon.create" })).toEqual(["coupon.create"]);
    expect(await actions({ subject: requestId })).toEqual(["payment-request.approve", "payment-request.submit"]);
    expect(await actions({ subject: requestId, actor: adminEmail })).toEqual(["payment-request.approve"]);
    expect(await actions({ action: "nothing.like-this" })).toEqual([]);
  });

  it.each([
    ["an address in the details", () => buyer.email.toUpperCase(), ["payment-request.approve", "payment-request.submit"]],
    ["Thai", () => "ทเรีย", ["video.create"]],
    ["a percent sign as itself", () => "100%", ["video.create"]],
    ["an underscore as itself", () => "half_off", ["coupon.create"]],
    ["nothing that is like it", () => "halfxoff", []],
  ])("is searched by %s", async (_, search, expected) => {
    expect(await actions({ search: search() })).toEqual(expected);
  });

  it("is read a page at a time, while entries are added", async () => {
    const whole = await list();
    const seen: number[] = [];
    let query = "limit=2";
    for (;;) {
      const { body } = await operator.call("GET", `/api/audit-log?${query}`);
      seen.push(...body.items.map(({ id }: { id: number }) => id));
      if (body.next_cursor === null) break;
      query = `limit=2&cursor=${body.next_cursor}`;
      await operator.call("PATCH", "/api/coupons/HALF_OFF", { active: true });
    }
    expect(seen).toEqual(whole.map(({ id }) => id));
  });

  it.each(["cursor=x", "limit=0", "search=%00", "actor=%0a"])("refuses %s", async (query) => {
    expect((await operator.call("GET", `/api/audit-log?${query}`)).status).toBe(400);
  });
});
