import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { mailsTo } from "../../../../../tests/support/mails.ts";
import { pay, type PaymentChoice } from "../../../../../tests/support/payments.ts";
import { student, type Answer, type Person } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

const reason = "The transfer was returned by the bank.";
const request = async (buyer: Person, choice: PaymentChoice = {}): Promise<string> => (await pay(buyer, choice)).body.id;
const approve = (id: string, body = {}): Promise<Answer> => operator.call("POST", `/api/payment-requests/${id}/approve`, body);
const reject = (id: string): Promise<Answer> => operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "No." });
const reopen = (id: string, given = reason): Promise<Answer> =>
  operator.call("POST", `/api/payment-requests/${id}/reopen`, { reason: given });
const setTier = (buyer: Person, newRole: string) =>
  operator.call("PUT", "/functions/v1/admin-users", { userId: buyer.id, newRole });
const tierOf = async (someone: Person): Promise<string> => (await someone.call("GET", "/api/me")).body.subscription_status;
const actions = async (id: string): Promise<string[]> =>
  (await app.sql<{ action: string }>("select action from audit_log where subject_id = $1 order by id", [id])).map(
    ({ action }) => action.replace("payment-request.", ""),
  );

describe("reopening an approved request", () => {
  // REOPEN-1, REOPEN-2, REOPEN-3
  it("makes it pending again, takes the package away and cancels the receipt", async () => {
    const buyer = await student(app);
    const id = await request(buyer);
    const { receipt_number } = (await approve(id)).body;
    const answer = await reopen(id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: "pending", decided_at: null, receipt_number: null, payer_tier: "unpaid" });
    expect(await tierOf(buyer)).toBe("unpaid");
    expect((await buyer.call("GET", `/api/payment-requests/${id}/receipt`)).body.code).toBe("receipt_not_found");
    const detail = (await operator.call("GET", `/api/payment-requests/${id}`)).body;
    expect(detail.cancelled_receipts).toEqual([
      expect.objectContaining({ receipt_number, reason, approved_by: operator.email, cancelled_by: operator.email }),
    ]);
    expect(await actions(id)).toEqual(["submit", "approve", "reopen"]);
    expect(detail.audit[0].details).toMatchObject({
      payer: buyer.email,
      reason,
      before: { status: "approved", decided_by: operator.email, receipt_number, tier: "starter" },
      after: { status: "pending", tier: "unpaid" },
    });
  });

  // REOPEN-3, DECIDE-4
  it("gives another approval the next receipt number", async () => {
    const id = await request(await student(app));
    const first = (await approve(id)).body.receipt_number;
    await reopen(id);
    const second = (await approve(id)).body.receipt_number;
    expect(Number(second.split("-")[1])).toBe(Number(first.split("-")[1]) + 1);
  });

  // REOPEN-4
  it("mails the student the reason, the locked videos and the cancelled receipt", async () => {
    const buyer = await student(app);
    const id = await request(buyer);
    const { receipt_number } = (await approve(id)).body;
    await reopen(id);
    const [mail] = await mailsTo(app, buyer.email);
    expect(mail?.text).toContain(reason);
    expect(mail?.text).toContain("the videos of the package are locked");
    expect(mail?.text).toContain(`Receipt ${receipt_number} is cancelled`);
  });

  // REOPEN-2
  it("keeps a tier that was set by hand since, also back to the same one", async () => {
    for (const tiers of [["advanced"], ["unpaid", "starter"], ["starter"]]) {
      const buyer = await student(app);
      const id = await request(buyer);
      await approve(id);
      for (const tier of tiers) await setTier(buyer, tier);
      expect((await reopen(id)).body.payer_tier).toBe(tiers.at(-1));
      expect(await tierOf(buyer)).toBe(tiers.at(-1));
    }
  });

  it("goes back to a tier that was set by hand before a confirmed downgrade", async () => {
    const buyer = await student(app);
    const id = await request(buyer);
    await setTier(buyer, "advanced");
    expect((await approve(id)).body.code).toBe("downgrade_unconfirmed");
    await approve(id, { confirm_downgrade: true });
    expect(await tierOf(buyer)).toBe("starter");
    await reopen(id);
    expect(await tierOf(buyer)).toBe("advanced");
  });

  it.each([
    ["first", ["advanced", "unpaid"]],
    ["last", ["starter", "unpaid"]],
  ])("leaves no package when both of two approvals are undone, the %s one first", async (which, tiers) => {
    const buyer = await student(app);
    const [starter, advanced] = [await request(buyer), await request(buyer, { package_type: "advanced" })];
    await approve(starter);
    await approve(advanced);
    const order = which === "first" ? [starter, advanced] : [advanced, starter];
    const seen = [];
    for (const id of order) seen.push((await reopen(id)).body.payer_tier);
    expect(seen).toEqual(tiers);
  });
});

describe("what followed from a decision", () => {
  // REOPEN-5
  it("lets another request with the reference of an undone approval be approved", async () => {
    const extra = { reference: "b".repeat(64) };
    const ids = [await request(await student(app), { extra }), await request(await student(app), { extra })] as const;
    await approve(ids[0]);
    expect((await approve(ids[1])).body.code).toBe("reference_approved");
    await reopen(ids[0]);
    expect((await approve(ids[1])).body.status).toBe("approved");
    expect((await approve(ids[0])).body.code).toBe("reference_approved");
  });

  // EVIDENCE-6
  it("flags a disputed request again when it is reopened", async () => {
    const extra = { reference: "c".repeat(64) };
    const id = await request(await student(app), { extra });
    await request(await student(app), { extra });
    expect((await reject(id)).body.flagged).toBe(false);
    expect((await reopen(id)).body.flagged).toBe(true);
  });
});

describe("reopening a rejected request", () => {
  it("makes it pending again and leaves the tier alone", async () => {
    const buyer = await student(app);
    const id = await request(buyer);
    await reject(id);
    expect((await reopen(id)).body).toMatchObject({ status: "pending", rejection_reason: null, payer_tier: "unpaid" });
    expect((await approve(id)).body.status).toBe("approved");
    expect(await actions(id)).toEqual(["submit", "reject", "reopen", "approve"]);
  });

  it("refuses one that was submitted again", async () => {
    const buyer = await student(app);
    const id = await request(buyer);
    await reject(id);
    const again = await buyer.call("POST", `/api/payment-requests/${id}/resubmit`, {}, { "idempotency-key": "again" });
    expect(again.status).toBe(201);
    await reject(again.body.id);
    const refused = await reopen(id);
    expect([refused.status, refused.body.code]).toEqual([409, "payment_request_resubmitted"]);
    expect(await actions(id)).toEqual(["submit", "reject"]);
  });

  it("refuses one while the student has another for the package", async () => {
    const buyer = await student(app);
    const id = await request(buyer);
    await reject(id);
    await request(buyer);
    const refused = await reopen(id);
    expect([refused.status, refused.body.code]).toEqual([409, "payment_request_other_open"]);
    expect(await actions(id)).toEqual(["submit", "reject"]);
  });
});

describe("reopening", () => {
  it("refuses a pending request, an unknown one, a deleted student's and an empty reason", async () => {
    const buyer = await student(app);
    const id = await request(buyer);
    expect((await reopen(id)).body.code).toBe("payment_request_not_decided");
    expect((await reopen("7d8f4a0e-54f1-4f4e-8a53-0c7d2f5a9b11")).body.code).toBe("payment_request_not_found");
    await approve(id);
    expect((await reopen(id, " ")).body.code).toBe("reopen_reason_missing");
    await operator.call("DELETE", `/functions/v1/admin-users?userId=${buyer.id}`);
    expect((await reopen(id)).body.code).toBe("user_not_found");
    expect(await actions(id)).toEqual(["submit", "approve"]);
  });

  it("happens once when ten come at once", async () => {
    const buyer = await student(app);
    const id = await request(buyer);
    await approve(id);
    const answers = await Promise.all(Array.from({ length: 10 }, () => reopen(id)));
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
    expect(answers.filter(({ body }) => body.code === "payment_request_not_decided").length).toBe(9);
    expect(await actions(id)).toEqual(["submit", "approve", "reopen"]);
    const cancelled = await app.sql("select 1 from cancelled_receipts where request_id = $1", [id]);
    expect(cancelled.length).toBe(1);
  });
});
