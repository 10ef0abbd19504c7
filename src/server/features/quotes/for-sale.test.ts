import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errors } from "#domain/errors/messages";
import type { TestApp } from "../../../../tests/support/app.ts";
import { behindTransaction } from "../../../../tests/support/database/behind-transaction.ts";
import { pay, uploadScreenshot } from "../../../../tests/support/payments.ts";
import { student, type Answer, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

type Package = "starter" | "advanced";

const quote = (buyer: Person, package_type: Package): Promise<Answer> => buyer.call("POST", "/api/quotes", { package_type });

async function submitter(buyer: Person, package_type: Package): Promise<() => Promise<Answer>> {
  const { id } = (await quote(buyer, package_type)).body;
  const body = { quote_id: id, crypto_type: "bitcoin", upload_id: await uploadScreenshot(buyer), consent: true };
  return () => buyer.call("POST", "/api/payment-requests", body, { "idempotency-key": randomUUID() });
}

/** PAY-9. */
describe("a package that the student has or waits for", () => {
  it.each([
    ["unpaid", "starter", 201],
    ["unpaid", "advanced", 201],
    ["starter", "starter", 409],
    ["starter", "advanced", 201],
    ["advanced", "starter", 409],
    ["advanced", "advanced", 409],
  ] as const)("returns for a student with tier %s who asks for %s status %i", async (tier, packageType, status) => {
    const answer = await quote(await student(app, tier), packageType);
    expect(answer.status).toBe(status);
    if (status === 409) expect(answer.body).toEqual({ error: errors.package_owned.text, code: "package_owned" });
  });

  it.each([
    ["starter", "advanced"],
    ["advanced", "starter"],
  ] as const)("refuses a quote for %s while a request for it is pending, and quotes %s", async (waiting, other) => {
    const buyer = await student(app);
    const { id } = (await pay(buyer, { package_type: waiting })).body;
    const refused = await quote(buyer, waiting);
    expect(refused.status).toBe(409);
    expect(refused.body.code).toBe("payment_request_open");
    expect((await quote(buyer, other)).status).toBe(201);
    await operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "Too low." });
    expect((await quote(buyer, waiting)).status).toBe(201);
  });

  it("refuses the submit of a quote that was made before the package was owned", async () => {
    const buyer = await student(app);
    const submit = await submitter(buyer, "starter");
    await operator.call("PUT", "/functions/v1/admin-users", { userId: buyer.id, newRole: "advanced" });
    const answer = await submit();
    expect(answer.status).toBe(409);
    expect(answer.body.code).toBe("package_owned");
    expect((await buyer.call("GET", "/api/payment-requests/mine")).body.items).toEqual([]);
  });

  it("refuses a submit that waited while its package was approved", async () => {
    const buyer = await student(app);
    const submit = await submitter(buyer, "starter");
    const becomesOwner = {
      text: "update profiles set subscription_status = 'starter' where id = $1",
      values: [buyer.id],
    };
    expect((await behindTransaction(app, becomesOwner, submit)).body.code).toBe("package_owned");
  });

  it("stores one of two submits of two quotes at once", async () => {
    const buyer = await student(app);
    const submits = [await submitter(buyer, "starter"), await submitter(buyer, "starter")];
    const answers = await Promise.all(submits.map((submit) => submit()));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe("payment_request_open");
  });
});
