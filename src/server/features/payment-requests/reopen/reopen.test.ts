import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { decisions } from "../../../../../tests/support/payment-requests/decisions.ts";
import { mailsTo } from "../../../../../tests/support/mails/received.ts";
import { outcome, student, type Person } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
let shop: ReturnType<typeof decisions>;
beforeAll(async () => {
  ({ app, operator } = await startShop());
  shop = decisions(app, operator);
});
afterAll(() => app?.close());

const reason = "The transfer was returned by the bank.";

describe("reopening an approved request", () => {
  // REOPEN-1, REOPEN-2, REOPEN-3
  it("makes it pending again, takes the package away and cancels the receipt", async () => {
    const buyer = await student(app);
    const id = await shop.request(buyer);
    const { receipt_number } = (await shop.approve(id)).body;
    const answer = await shop.reopen(id, reason);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: "pending", decided_at: null, receipt_number: null, payer_tier: "unpaid" });
    expect(await shop.tierOf(buyer)).toBe("unpaid");
    expect((await buyer.call("GET", `/api/payment-requests/${id}/receipt`)).body.code).toBe("receipt_not_found");
    const detail = (await operator.call("GET", `/api/payment-requests/${id}`)).body;
    expect(detail.cancelled_receipts).toEqual([
      expect.objectContaining({ receipt_number, reason, approved_by: operator.email, cancelled_by: operator.email }),
    ]);
    expect(await shop.actions(id)).toEqual(["submit", "approve", "reopen"]);
    expect(detail.audit[0].details).toMatchObject({
      payer: buyer.email,
      reason,
      before: { status: "approved", decided_by: operator.email, receipt_number, tier: "starter" },
      after: { status: "pending", tier: "unpaid" },
    });
  });

  // REOPEN-3, DECIDE-4
  it("gives another approval the next receipt number", async () => {
    const id = await shop.request(await student(app));
    const first = (await shop.approve(id)).body.receipt_number;
    await shop.reopen(id, reason);
    const second = (await shop.approve(id)).body.receipt_number;
    expect(Number(second.split("-")[1])).toBe(Number(first.split("-")[1]) + 1);
  });

  // REOPEN-4
  it("mails the student the reason, the locked videos and the cancelled receipt", async () => {
    const buyer = await student(app);
    const id = await shop.request(buyer);
    const { receipt_number } = (await shop.approve(id)).body;
    await shop.reopen(id, reason);
    const [mail] = await mailsTo(app, buyer.email);
    expect(mail?.text).toContain(reason);
    expect(mail?.text).toContain("the videos of the package are locked");
    expect(mail?.text).toContain(`Receipt ${receipt_number} is cancelled`);
  });

  // REOPEN-1, PART-3
  it.each(["approve", "reject"] as const)("mails the rest that is asked for again, after: %s", async (decide) => {
    const buyer = await student(app);
    const id = await shop.request(buyer, { crypto_type: "thai_bank" });
    await operator.call("POST", `/api/payment-requests/${id}/ask-rest`, { amount_received: "17000" });
    await shop[decide](id);
    await shop.reopen(id, reason);
    const [mail] = await mailsTo(app, buyer.email);
    expect(mail?.text).toContain(reason);
    expect(mail?.text).toContain("17,000.00 THB of 17,395.00 THB has arrived, so 395.00 THB is still to be paid.");
    expect(mail?.text).toContain("/payment?package=starter");
    expect(mail?.text).not.toContain("nothing you need to do");
  });

  // DECIDE-7
  it("mails that there is nothing to do where the student has the package by now", async () => {
    const buyer = await student(app);
    const id = await shop.request(buyer, { crypto_type: "thai_bank" });
    await operator.call("POST", `/api/payment-requests/${id}/ask-rest`, { amount_received: "17000" });
    await shop.reject(id);
    await shop.setTier(buyer, "advanced");
    await shop.reopen(id, reason);
    const [mail] = await mailsTo(app, buyer.email);
    expect(mail?.text).toContain("There is nothing you need to do now.");
    expect(mail?.text).not.toContain("/payment");
  });

  it("mails that there is nothing to do where no rest is asked for", async () => {
    const buyer = await student(app);
    const id = await shop.request(buyer);
    await shop.reject(id);
    await shop.reopen(id, reason);
    const [mail] = await mailsTo(app, buyer.email);
    expect(mail?.text).toContain("There is nothing you need to do now.");
    expect(mail?.text).not.toContain("/payment");
  });

  // REOPEN-2
  it("keeps a tier that was set by hand since, also back to the same one", async () => {
    for (const tiers of [["advanced"], ["unpaid", "starter"], ["starter"]]) {
      const buyer = await student(app);
      const id = await shop.request(buyer);
      await shop.approve(id);
      for (const tier of tiers) await shop.setTier(buyer, tier);
      expect((await shop.reopen(id, reason)).body.payer_tier).toBe(tiers.at(-1));
      expect(await shop.tierOf(buyer)).toBe(tiers.at(-1));
    }
  });

  it("goes back to a tier that was set by hand before a confirmed downgrade", async () => {
    const buyer = await student(app);
    const id = await shop.request(buyer);
    await shop.setTier(buyer, "advanced");
    expect((await shop.approve(id)).body.code).toBe("downgrade_unconfirmed");
    await shop.approve(id, { confirm_downgrade: true });
    expect(await shop.tierOf(buyer)).toBe("starter");
    await shop.reopen(id, reason);
    expect(await shop.tierOf(buyer)).toBe("advanced");
  });

  it.each([
    ["first", ["advanced", "unpaid"]],
    ["last", ["starter", "unpaid"]],
  ])("leaves no package when both of two approvals are undone, the %s one first", async (which, tiers) => {
    const buyer = await student(app);
    const [starter, advanced] = [await shop.request(buyer), await shop.request(buyer, { package_type: "advanced" })];
    await shop.approve(starter);
    await shop.approve(advanced);
    const order = which === "first" ? [starter, advanced] : [advanced, starter];
    const seen = [];
    for (const id of order) seen.push((await shop.reopen(id, reason)).body.payer_tier);
    expect(seen).toEqual(tiers);
  });
});

describe("what followed from a decision", () => {
  // REOPEN-5
  it("lets another request with the reference of an undone approval be approved", async () => {
    const extra = { reference: "b".repeat(64) };
    const ids = [await shop.request(await student(app), { extra }), await shop.request(await student(app), { extra })] as const;
    await shop.approve(ids[0]);
    expect((await shop.approve(ids[1])).body.code).toBe("reference_approved");
    await shop.reopen(ids[0]);
    expect((await shop.approve(ids[1])).body.status).toBe("approved");
    expect((await shop.approve(ids[0])).body.code).toBe("reference_approved");
  });

  // EVIDENCE-6
  it("flags a disputed request again when it is reopened", async () => {
    const extra = { reference: "c".repeat(64) };
    const id = await shop.request(await student(app), { extra });
    await shop.request(await student(app), { extra });
    expect((await shop.reject(id)).body.flagged).toBe(false);
    expect((await shop.reopen(id, reason)).body.flagged).toBe(true);
  });
});

// REOPEN-2
it.each(["approve", "reject"] as const)("a request that another program made pending: %s, then reopen", async (decision) => {
  const buyer = await student(app);
  const id = await shop.request(buyer);
  await shop.approve(id);
  await app.sql(
    `update payment_requests set status = 'pending', decided_at = null, decided_by = null, receipt_number = null,
      approval_seen_at = null where id = $1`,
    [id],
  );
  expect((await shop[decision](id)).status).toBe(200);
  expect((await shop.reopen(id, reason)).body.status).toBe("pending");
  // The package came by the approval that nothing undid.
  expect(await shop.tierOf(buyer)).toBe("starter");
});

describe("reopening a rejected request", () => {
  it("makes it pending again and leaves the tier alone", async () => {
    const buyer = await student(app);
    const id = await shop.request(buyer);
    await shop.reject(id);
    expect((await shop.reopen(id, reason)).body).toMatchObject({
      status: "pending",
      rejection_reason: null,
      payer_tier: "unpaid",
    });
    expect((await shop.approve(id)).body.status).toBe("approved");
    expect(await shop.actions(id)).toEqual(["submit", "reject", "reopen", "approve"]);
  });

  it("refuses one that was submitted again", async () => {
    const buyer = await student(app);
    const id = await shop.request(buyer);
    await shop.reject(id);
    const again = await shop.resubmit(buyer, id, "again");
    expect(again.status).toBe(201);
    await shop.reject(again.body.id);
    expect(outcome(await shop.reopen(id, reason))).toEqual([409, "payment_request_resubmitted"]);
    expect(await shop.actions(id)).toEqual(["submit", "reject"]);
  });

  it("refuses one while the student has another for the package", async () => {
    const buyer = await student(app);
    const id = await shop.request(buyer);
    await shop.reject(id);
    await shop.request(buyer);
    expect(outcome(await shop.reopen(id, reason))).toEqual([409, "payment_request_other_open"]);
    expect(await shop.actions(id)).toEqual(["submit", "reject"]);
  });
});

describe("reopening", () => {
  it("refuses pending, unknown and deleted students' requests, and an empty reason", async () => {
    const buyer = await student(app);
    const id = await shop.request(buyer);
    expect((await shop.reopen(id, reason)).body.code).toBe("payment_request_not_decided");
    expect((await shop.reopen("7d8f4a0e-54f1-4f4e-8a53-0c7d2f5a9b11")).body.code).toBe("payment_request_not_found");
    await shop.approve(id);
    expect((await shop.reopen(id, " ")).body.code).toBe("reopen_reason_missing");
    await shop.remove(buyer);
    expect((await shop.reopen(id, reason)).body.code).toBe("user_not_found");
    expect(await shop.actions(id)).toEqual(["submit", "approve"]);
  });

  it("happens once when ten come at once", async () => {
    const buyer = await student(app);
    const id = await shop.request(buyer);
    await shop.approve(id);
    const answers = await Promise.all(Array.from({ length: 10 }, () => shop.reopen(id, reason)));
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
    expect(answers.filter(({ body }) => body.code === "payment_request_not_decided").length).toBe(9);
    expect(await shop.actions(id)).toEqual(["submit", "approve", "reopen"]);
    const cancelled = await app.sql("select 1 from cancelled_receipts where request_id = $1", [id]);
    expect(cancelled.length).toBe(1);
  });
});
