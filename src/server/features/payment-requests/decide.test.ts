import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowIdle, transaction } from "#server/platform/db/transaction";
import type { TestApp } from "../../../../tests/support/app.ts";
import { pay } from "../../../../tests/support/payments.ts";
import { outcome, student, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

const tierOf = async (someone: Person): Promise<string> => (await someone.call("GET", "/api/me")).body.subscription_status;

describe("deciding", () => {
  const request = async (buyer: Person, choice = {}): Promise<string> => (await pay(buyer, choice)).body.id;

  it("sets exactly the package's tier at the approval and mails the student", async () => {
    const buyer = await student(app);
    const id = await request(buyer);
    const answer = await operator.call("POST", `/api/payment-requests/${id}/approve`);
    expect(answer.body).toMatchObject({ status: "approved", payer_tier: "starter", email: buyer.email });
    expect(await tierOf(buyer)).toBe("starter");
    const mails = await app.sql<{ subject: string }>("select subject from mail_outbox where recipient = $1 order by id", [
      buyer.email,
    ]);
    expect(mails.length).toBe(2);
  });

  it("writes into the audit log what an approval changed, and no more", async () => {
    const buyer = await student(app);
    const id = await request(buyer);
    const { receipt_number } = (await operator.call("POST", `/api/payment-requests/${id}/approve`)).body;
    const [entry] = await app.sql<{ details: object }>(
      "select details from audit_log where subject_id = $1 and action = 'payment-request.approve'",
      [id],
    );
    expect(entry?.details).toMatchObject({
      before: { status: "pending", tier: "unpaid" },
      after: { status: "approved", tier: "starter", receipt_number },
    });
    for (const unchanged of ["amount_received", "note"]) expect(entry?.details).not.toHaveProperty(unchanged);
  });

  it("approves without waiting for a change of another account", async () => {
    const [buyer, other] = [await student(app), await student(app)];
    const id = await request(buyer);
    await transaction(app.deps.db, async (tx) => {
      await allowIdle(tx, 0);
      await tx.execute(sql`select from accounts where id = ${other.id} for update`);
      expect((await operator.call("POST", `/api/payment-requests/${id}/approve`)).status).toBe(200);
    });
  });

  it("refuses a rejection without a reason and leaves the request pending", async () => {
    const buyer = await student(app);
    const id = await request(buyer);
    const answer = await operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "  " });
    expect(outcome(answer)).toEqual([400, "reason_missing"]);
    expect((await buyer.call("GET", "/api/payment-requests/mine")).body.items[0].status).toBe("pending");
  });

  it("rejects with a reason that the student reads before submitting again", async () => {
    const buyer = await student(app);
    const id = await request(buyer);
    await operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "The amount is not readable." });
    const mine = await buyer.call("GET", "/api/payment-requests/mine");
    expect(mine.body.items[0]).toMatchObject({ status: "rejected", rejection_reason: "The amount is not readable." });
    expect(await tierOf(buyer)).toBe("unpaid");
    expect((await pay(buyer)).status).toBe(201);
  });

  it("decides once when twenty decisions come at once", async () => {
    for (let round = 0; round < 3; round++) {
      const buyer = await student(app);
      const id = await request(buyer, { package_type: "advanced" });
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          index % 2 === 0
            ? operator.call("POST", `/api/payment-requests/${id}/approve`)
            : operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "No." }),
        ),
      );
      const winners = answers.filter((answer) => answer.status === 200);
      expect(winners.length).toBe(1);
      const losers = answers.filter((answer) => answer.status === 409);
      expect(losers.length).toBe(19);
      expect(losers[0]?.body.error).toBe(`This payment request was already ${winners[0]?.body.status} by ${operator.email}.`);
      expect(await tierOf(buyer)).toBe(winners[0]?.body.status === "approved" ? "advanced" : "unpaid");
      const entries = await app.sql("select 1 from audit_log where subject_id = $1 and action <> 'payment-request.submit'", [
        id,
      ]);
      expect(entries.length).toBe(1);
    }
  });

  it("refuses an unconfirmed approval that lowers the tier", async () => {
    const buyer = await student(app);
    const id = await request(buyer);
    await operator.call("PUT", "/functions/v1/admin-users", { userId: buyer.id, newRole: "advanced" });
    const warned = await operator.call("POST", `/api/payment-requests/${id}/approve`);
    expect(warned.status).toBe(409);
    expect(warned.body.code).toBe("downgrade_unconfirmed");
    expect(await tierOf(buyer)).toBe("advanced");
    await operator.call("POST", `/api/payment-requests/${id}/approve`, { confirm_downgrade: true });
    expect(await tierOf(buyer)).toBe("starter");
  });

  it("keeps the request of a deleted account and refuses its approval", async () => {
    const buyer = await student(app);
    const id = await request(buyer);
    const deleted = await operator.call("DELETE", `/functions/v1/admin-users?userId=${buyer.id}`);
    expect(deleted.status).toBe(200);
    expect((await buyer.call("GET", "/api/me")).status).toBe(401);
    const listed = await operator.call("GET", `/api/payment-requests?search=${buyer.email}`);
    expect(listed.body.items[0]).toMatchObject({ id, email: buyer.email, full_name: "Somchai Student", payer_tier: null });
    expect((await operator.call("POST", `/api/payment-requests/${id}/approve`)).body.code).toBe("user_not_found");
    const link = await operator.call("GET", `/api/payment-requests/${id}/screenshot`);
    expect((await fetch(link.body.url)).status).toBe(200);
  });

  it("never fails with a server error when a payer is deleted during an approval", async () => {
    for (let round = 0; round < 5; round++) {
      const buyer = await student(app);
      const id = await request(buyer);
      const [approved, deleted] = await Promise.all([
        operator.call("POST", `/api/payment-requests/${id}/approve`),
        operator.call("DELETE", `/functions/v1/admin-users?userId=${buyer.id}`),
      ]);
      expect([200, 404]).toContain(approved.status);
      expect(deleted.status).toBe(200);
    }
  });
});
