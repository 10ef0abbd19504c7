import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { decisions } from "../../../../../tests/support/payment-requests/decisions.ts";
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

describe("a request that was reopened and decided again", () => {
  // REVIEW-5
  it("undoes the decision that is meant, and none that took its place", async () => {
    const buyer = await student(app);
    const id = await shop.request(buyer);
    const undo = (decided_at: string) => operator.call("POST", `/api/payment-requests/${id}/reopen`, { reason, decided_at });
    const first = (await shop.approve(id)).body.decided_at;
    app.clock.advance(1);
    await shop.reopen(id, reason);
    const second = (await shop.reject(id)).body.decided_at;
    expect(outcome(await undo(first))).toEqual([409, "payment_request_decided_again"]);
    expect(await shop.actions(id)).toEqual(["submit", "approve", "reopen", "reject"]);
    expect((await undo(second)).body).toMatchObject({ status: "pending" });
    expect((await undo("yesterday")).status).toBe(400);
  });

  // REOPEN-3
  it("lists the cancelled receipts in the order in which they were cancelled", async () => {
    const id = await shop.request(await student(app));
    const numbers: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      numbers.push((await shop.approve(id)).body.receipt_number);
      await shop.reopen(id, reason);
    }
    await app.sql("update cancelled_receipts set cancelled_at = cancelled_at - interval '1 day' where receipt_number = $1", [
      numbers[1],
    ]);
    const { cancelled_receipts } = (await operator.call("GET", `/api/payment-requests/${id}`)).body;
    expect(cancelled_receipts.map(({ receipt_number }: any) => receipt_number)).toEqual(numbers.toReversed());
  });
});
