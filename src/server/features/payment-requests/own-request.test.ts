import { afterAll, beforeAll, expect, it } from "vitest";
import { adminPassword, startApp, type TestApp } from "../../../../tests/support/app.ts";
import { pay } from "../../../../tests/support/payments.ts";
import { outcome, signIn, student } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
beforeAll(async () => ({ app } = await startShop()));
afterAll(() => app?.close());

// ACCESS-4
it("lets an admin reject but not approve the request they made as a student", async () => {
  const [buyer, other] = [await student(app), await student(app)];
  const [own, others] = [await pay(buyer), await pay(other)].map(({ body }) => `/api/payment-requests/${body.id}`);
  const site = await startApp({ beside: app, environment: { ADMIN_EMAIL: buyer.email } });
  try {
    const promoted = await signIn(site, buyer.email, adminPassword);
    expect(outcome(await promoted.call("POST", `${own}/approve`))).toEqual([409, "payment_request_own"]);
    expect((await promoted.call("GET", "/api/me")).body.subscription_status).toBe("unpaid");
    expect((await promoted.call("POST", `${others}/approve`)).body.status).toBe("approved");
    expect((await promoted.call("POST", `${own}/reject`, { reason: "I am the admin now." })).body.status).toBe("rejected");
  } finally {
    await site.close();
  }
});
