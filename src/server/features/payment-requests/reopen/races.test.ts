import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { behindTransaction } from "../../../../../tests/support/database/behind-transaction.ts";
import { decisions } from "../../../../../tests/support/payment-requests/decisions.ts";
import { outcome, student, type Answer, type Person } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
let shop: ReturnType<typeof decisions>;
beforeAll(async () => {
  ({ app, operator } = await startShop());
  shop = decisions(app, operator);
});
afterAll(() => app?.close());

const rounds = Array.from({ length: 4 }, (_, round) => round);
const codes = (answers: Answer[]): unknown[] => answers.map(({ status, body }) => (status < 300 ? status : body.code));
const decided = async (how: "approve" | "reject"): Promise<{ buyer: Person; id: string }> => {
  const buyer = await student(app);
  const id = await shop.request(buyer);
  await shop[how](id);
  return { buyer, id };
};

// REOPEN-1
describe("a reopening at the same time as", () => {
  it.each(rounds)("another decision leaves one order of both (round %s)", async () => {
    const { id, buyer } = await decided("reject");
    const answers = await Promise.all([shop.reopen(id), shop.approve(id), shop.reject(id), shop.reopen(id)]);
    const taken = answers.filter(({ status }) => status === 200).length;
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const actions = await shop.actions(id);
    expect(actions.length).toBe(2 + taken);
    for (const [index, action] of actions.entries()) {
      if (index > 1) expect(action === "reopen").toBe(actions[index - 1] !== "reopen");
    }
    expect(await shop.tierOf(buyer)).toBe(actions.at(-1) === "approve" ? "starter" : "unpaid");
  });

  it.each(rounds)("the student's next request for the package leaves one pending (round %s)", async (round) => {
    const { id, buyer } = await decided("reject");
    const pays = [() => shop.reopen(id), () => shop.resubmit(buyer, id, "again")];
    const answers = await Promise.all((round % 2 === 0 ? pays : pays.toReversed()).map((call) => call()));
    expect(answers.filter(({ status }) => status < 300).length, JSON.stringify(codes(answers))).toBe(1);
    const pending = await app.sql("select 1 from payment_requests where user_id = $1 and status = 'pending'", [buyer.id]);
    expect(pending.length).toBe(1);
  });

  it.each(rounds)("a change of the tier by hand keeps the change (round %s)", async (round) => {
    const { id, buyer } = await decided("approve");
    const calls = [() => shop.reopen(id), () => shop.setTier(buyer, "advanced")];
    const answers = await Promise.all((round % 2 === 0 ? calls : calls.toReversed()).map((call) => call()));
    expect(codes(answers)).toEqual([200, 200]);
    expect(await shop.tierOf(buyer)).toBe("advanced");
    expect(await shop.actions(id)).toEqual(["submit", "approve", "reopen"]);
  });

  it.each(rounds)("the deletion of the student ends without a server error (round %s)", async () => {
    const { id, buyer } = await decided("approve");
    const [reopened, deleted] = await Promise.all([shop.reopen(id), shop.remove(buyer)]);
    expect(deleted.status).toBe(200);
    expect([200, "user_not_found"]).toContain(codes([reopened])[0]);
    expect((await shop.actions(id)).length).toBe(reopened.status === 200 ? 3 : 2);
    expect(await app.sql("select 1 from payment_requests where id = $1", [id])).toEqual([{ "?column?": 1 }]);
  });
});

it("refuses a reopening that waited for the student's next request", async () => {
  const { id, buyer } = await decided("reject");
  const next = await shop.request(buyer);
  await shop.reject(next);
  const answer = await behindTransaction(
    app,
    {
      text: `update payment_requests set status = 'pending', decided_at = null, decided_by = null, rejection_reason = null where id = $1`,
      values: [next],
    },
    () => shop.reopen(id),
  );
  expect(outcome(answer)).toEqual([409, "payment_request_other_open"]);
  expect(await shop.actions(id)).toEqual(["submit", "reject"]);
});
