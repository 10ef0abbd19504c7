import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { behindTransaction } from "../../../../../tests/support/database/behind-transaction.ts";
import { pay, type PaymentChoice } from "../../../../../tests/support/payments.ts";
import { outcome, student, type Answer, type Person } from "../../../../../tests/support/people.ts";
import { partialPayments } from "../../../../../tests/support/payment-requests/partial-payments.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { throwRefusal } from "./disputes.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

const newHash = (): string => (randomUUID() + randomUUID()).replaceAll("-", "");
const bankTransfer = { crypto_type: "thai_bank" } as const;
const claim = async (buyer: Person, reference: string, choice: PaymentChoice = {}): Promise<any> => {
  const answer = await pay(buyer, { ...choice, extra: { reference } });
  expect(answer.status).toBe(201);
  return answer.body;
};
const referenceOf = async ({ id }: { id: string }) =>
  (await operator.call("GET", `/api/payment-requests/${id}`)).body.evidence.find((one: any) => one.kind === "reference");
const decide = (request: { id: string }, decision: "approve" | "reject", body?: unknown): Promise<Answer> =>
  operator.call("POST", `/api/payment-requests/${request.id}/${decision}`, body);
const reject = (request: { id: string }): Promise<Answer> => decide(request, "reject", { reason: "It is not yours." });

/** EVIDENCE-2. */
describe("a disputed reference", () => {
  it("lets the payer's request stand when a thief claims their transaction first", async () => {
    const [thief, victim] = [await student(app), await student(app)];
    const hash = newHash();
    const stolen = await claim(thief, hash);
    expect(await referenceOf(stolen)).toMatchObject({ verdict: "unique", details: { others: [] } });
    const paid = await claim(victim, hash.toUpperCase());

    const other = ({ id, email, status, created_at }: any) => ({ payment_request_id: id, email, status, created_at });
    const stolenAs = { ...stolen, email: thief.email };
    const paidAs = { ...paid, email: victim.email };
    expect(await referenceOf(stolen)).toMatchObject({ verdict: "disputed", details: { others: [other(paidAs)] } });
    expect(await referenceOf(paid)).toMatchObject({ verdict: "disputed", details: { others: [other(stolenAs)] } });
    const { items } = (await operator.call("GET", `/api/payment-requests?search=${hash}`)).body;
    expect(items.map(({ evidence }: any) => evidence.find((one: any) => one.kind === "reference").verdict)).toEqual([
      "disputed",
      "disputed",
    ]);

    expect((await decide(paid, "approve")).status).toBe(200);
    const refused = await decide(stolen, "approve");
    expect(outcome(refused)).toEqual([409, "reference_approved"]);
    expect(refused.body.error).toContain(`The request of ${victim.email} (submitted 20`);
    expect((await referenceOf(stolen)).text).toContain("That request was approved, so this one cannot be.");
    expect((await thief.call("GET", "/api/me")).body.subscription_status).toBe("unpaid");
    expect((await victim.call("GET", "/api/me")).body.subscription_status).toBe("starter");
    expect((await reject(stolen)).status).toBe(200);
  });

  it("accepts a transaction that was approved before, and marks both requests", async () => {
    const hash = newHash();
    const first = await claim(await student(app), hash);
    await decide(first, "approve");
    const second = await claim(await student(app), hash);
    expect(await referenceOf(second)).toMatchObject({ verdict: "disputed", details: { others: [{ status: "approved" }] } });
    expect((await referenceOf(first)).text).toContain("This request was approved, so none of the others can be.");
    expect((await decide(second, "approve")).body.code).toBe("reference_approved");
  });

  it("is none when a student submits their own rejected request again", async () => {
    const buyer = await student(app);
    const first = await claim(buyer, newHash());
    await reject(first);
    const key = { "idempotency-key": randomUUID() };
    const again = (await buyer.call("POST", `/api/payment-requests/${first.id}/resubmit`, {}, key)).body;
    for (const request of [first, again]) expect((await referenceOf(request)).verdict).toBe("unique");
    const thief = await student(app);
    const stolen = await claim(thief, first.reference);
    expect((await referenceOf(stolen)).details.others).toHaveLength(2);
    expect((await referenceOf(first)).details.others).toMatchObject([{ email: thief.email }]);
  });

  // ACCOUNT-8
  it("is none between the same requests once their account is deleted", async () => {
    const [buyer, thief] = [await student(app), await student(app)];
    const first = await claim(buyer, newHash());
    await reject(first);
    const key = { "idempotency-key": randomUUID() };
    const again = (await buyer.call("POST", `/api/payment-requests/${first.id}/resubmit`, {}, key)).body;
    const remove = ({ id }: Person) => operator.call("DELETE", `/functions/v1/admin-users?userId=${id}`);
    expect((await remove(buyer)).status).toBe(200);
    for (const request of [first, again]) expect((await referenceOf(request)).verdict).toBe("unique");

    const stolen = await claim(thief, first.reference);
    await reject(stolen);
    expect((await remove(thief)).status).toBe(200);
    const namedIn = async (request: any) => (await referenceOf(request)).details.others.map((other: any) => other.email);
    expect(await namedIn(again)).toEqual([thief.email]);
    expect(await namedIn(stolen)).toEqual([buyer.email, buyer.email]);
  });

  it("is found when a student claims one transaction for both packages", async () => {
    const buyer = await student(app);
    const hash = newHash();
    const starter = await claim(buyer, hash);
    const advanced = await claim(buyer, hash, { package_type: "advanced" });
    for (const request of [starter, advanced]) expect((await referenceOf(request)).verdict).toBe("disputed");
  });

  it("is none between two methods, whatever their references look like", async () => {
    const [coin, bank] = [
      await claim(await student(app), newHash()),
      await claim(await student(app), `BANK${newHash().slice(0, 9)}`, bankTransfer),
    ];
    await app.sql("update payment_requests set reference = $2 where id = $1", [coin.id, bank.reference]);
    for (const request of [coin, bank]) expect((await referenceOf(request)).verdict).toBe("unique");
  });

  it("is found although the bank's reference is written in another way", async () => {
    const tail = randomUUID().slice(0, 8);
    const first = await claim(await student(app), `kbank-2026.${tail}`, bankTransfer);
    const second = await claim(await student(app), `KBANK 2026 ${tail.toUpperCase()}`, bankTransfer);
    expect(second.reference).toBe(first.reference);
    expect((await referenceOf(first)).verdict).toBe("disputed");
  });

  it("names the approved request first, then the oldest, at most five", async () => {
    const hash = newHash();
    const claims: any[] = [];
    for (let index = 0; index < 7; index++) {
      app.clock.advance(1);
      claims.push(await claim(await student(app), hash));
    }
    await decide(claims[5], "approve");
    const { details } = await referenceOf(claims[0]);
    const named = [5, 1, 2, 3, 4].map((index) => claims[index].id);
    expect(details.others.map((other: any) => other.payment_request_id)).toEqual(named);
  });
});

// EVIDENCE-2, PART-5
it("names the approved request first, then the oldest, of all parts together", async () => {
  const partial = partialPayments(app, operator);
  const [ofFirst, ofRest] = [newHash().slice(0, 20), newHash().slice(0, 20)];
  const { buyer, id } = await partial.asked({ reference: ofFirst });
  await partial.sendRest(buyer, id, { reference: ofRest });
  const named = [];
  for (const reference of [ofRest, ofFirst, ofRest]) {
    app.clock.advance(1);
    named.push((await claim(await student(app), reference, bankTransfer)).id);
  }
  const { details } = await referenceOf({ id });
  expect(details.others.map((other: any) => other.payment_request_id)).toEqual(named);
});

// EVIDENCE-2, PART-5
it("has the reference of a third part where none was typed for the others", async () => {
  const partial = partialPayments(app, operator);
  const { buyer, id } = await partial.asked();
  await partial.sendRest(buyer, id);
  expect((await partial.ask(id, "10100")).status).toBe(200);
  app.clock.advance(1);
  await partial.sendRest(buyer, id, { reference: newHash().slice(0, 20) });
  expect((await referenceOf({ id })).verdict).toBe("unique");
});

/** EVIDENCE-2. */
describe("a refusal of the database", () => {
  const violated = (constraint: string) =>
    Object.assign(new pg.DatabaseError("refused", 0, "error"), { code: "23505", constraint });

  it("is thrown as it is where it is of something else", async () => {
    const { id } = await claim(await student(app), newHash());
    for (const error of [new Error("The database is gone."), violated("payment_requests_receipt_number_key")]) {
      await expect(throwRefusal(app.deps.db, id, error)).rejects.toBe(error);
    }
  });

  it("is of the reference though no other is approved, or the request is gone", async () => {
    const { id } = await claim(await student(app), newHash());
    for (const refused of [id, randomUUID()]) {
      const refusal = throwRefusal(app.deps.db, refused, violated("payment_requests_approved_reference"));
      await expect(refusal).rejects.toMatchObject({ code: "reference_approved" });
    }
  });
});

/** EVIDENCE-2. */
describe("of requests with one reference, the database", () => {
  it("approves one of six that are approved at once", async () => {
    for (let round = 0; round < 3; round++) {
      const hash = newHash();
      const claims = await Promise.all(Array.from({ length: 6 }, async () => claim(await student(app), hash)));
      const answers = await Promise.all(claims.map((request) => decide(request, "approve")));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ body }) => body.code === "reference_approved")).toHaveLength(5);
      const tiers = await app.sql("select count(*) from profiles where id = any($1) and subscription_status = 'starter'", [
        claims.map(({ user_id }) => user_id),
      ]);
      expect(tiers).toEqual([{ count: "1" }]);
    }
  });

  it("refuses an approval that waited for another, and takes no receipt number", async () => {
    const hash = newHash();
    const [first, second] = [await claim(await student(app), hash), await claim(await student(app), hash)];
    const approval = {
      text: "update payment_requests set status = 'approved', decided_at = now(), decided_by = 'a', receipt_number = $2 where id = $1",
      values: [first.id, `behind-${first.id}`],
    };
    const counters = () => app.sql("select * from receipt_counters");
    const before = await counters();
    const answer = await behindTransaction(app, approval, () => decide(second, "approve"));
    expect(outcome(answer)).toEqual([409, "reference_approved"]);
    expect(await counters()).toEqual(before);
    const [row] = await app.sql("select status, receipt_number from payment_requests where id = $1", [second.id]);
    expect(row).toEqual({ status: "pending", receipt_number: null });
  });
});
