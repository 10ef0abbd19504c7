import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sweep } from "#server/platform/storage/sweep";
import { adminEmail, startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { behindTransaction } from "../../../../../tests/support/database/behind-transaction.ts";
import { mailsTo } from "../../../../../tests/support/mails/received.ts";
import { pay, uploadScreenshot } from "../../../../../tests/support/payments.ts";
import { admin, outcome, student, type Person } from "../../../../../tests/support/people.ts";
import { receipt } from "../../../../../tests/support/payment-requests/draw-receipt.ts";
import { partialPayments } from "../../../../../tests/support/payment-requests/partial-payments.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { screenshotBucket } from "../screenshots/bucket.ts";

let app: TestApp;
let operator: Person;
let shop: ReturnType<typeof partialPayments>;
beforeAll(async () => {
  ({ app, operator } = await startShop());
  shop = partialPayments(app, operator);
});
afterAll(() => app?.close());

/** The slips that wait to be read in the screenshots of a request's further parts. */
const slipsOf = (id: string) =>
  app.sql(
    "select 1 from transfer_slips where object_id in (select screenshot_object_id from payment_request_parts where payment_request_id = $1)",
    [id],
  );

/** PART-4. */
describe("paying the rest", () => {
  it("adds the proof to the same request, which waits for the admin again", async () => {
    const { buyer, id } = await shop.asked();
    const { status, body } = await shop.sendRest(buyer, id, { reference: " abc-123 " });
    expect(status).toBe(201);
    expect(body).toMatchObject({ id, status: "pending", rest: null, amount_received: "10000.00", amount_owed: "468.50" });
    expect(body.parts).toMatchObject([{ amount_asked: "468.50", reference: "ABC123" }]);
    const { items } = (await operator.call("GET", `/api/payment-requests?search=${buyer.email}`)).body;
    expect(items).toHaveLength(1);
    expect(items[0].parts).toEqual(body.parts);
    const [mail] = await mailsTo(app, adminEmail);
    expect(mail?.subject).toBe("Rest of a payment: Advanced, 468.50 THB");
    expect(mail?.text).toContain(buyer.email);
    expect(mail?.text).toContain("10,000.00 THB of 10,468.50 THB had arrived before.");
    expect(mail?.text).not.toContain("still to be paid");
    expect(mail?.text).toContain("Transaction reference: ABC123");
    expect(mail?.text).toContain(`/admin/payments/${id}`);
    const [entry] = await app.sql(
      "select actor_email, subject_type, details from audit_log where subject_id = $1 and action like '%pay-rest'",
      [id],
    );
    const after = { part: body.parts[0].id, amount_asked: "468.50" };
    expect(entry).toMatchObject({ actor_email: buyer.email, subject_type: "payment-request", details: { after } });
    expect(await slipsOf(id)).toHaveLength(1);
  });

  it("opens the screenshot of a part for its student and the admin alone", async () => {
    const { buyer, id } = await shop.asked();
    const [part] = (await shop.sendRest(buyer, id)).body.parts;
    const path = `/api/payment-requests/${id}/screenshot?part=${part.id}`;
    for (const viewer of [buyer, operator]) {
      const link = await viewer.call("GET", path);
      expect(link.body.url).toContain(part.screenshot_url);
      expect((await fetch(link.body.url)).status).toBe(200);
    }
    const stranger = await student(app);
    expect((await stranger.call("GET", path)).body.code).toBe("payment_request_not_found");
    const other = await shop.payBaht(stranger);
    expect((await stranger.call("GET", `/api/payment-requests/${other}/screenshot?part=${part.id}`)).body.code).toBe(
      "not_found",
    );
    expect((await buyer.call("GET", `/api/payment-requests/${id}/screenshot?part=1`)).body.code).toBe("invalid_input");
  });

  it("returns the request to a retry, and refuses its key for anything else", async () => {
    const { buyer, id } = await shop.asked();
    const [key, upload_id] = [randomUUID(), await uploadScreenshot(buyer)];
    const first = await shop.sendRest(buyer, id, { upload_id }, key);
    expect((await shop.sendRest(buyer, id, { upload_id }, key)).body).toEqual(first.body);
    for (const other of [{}, { upload_id, reference: "another" }]) {
      expect((await shop.sendRest(buyer, id, other, key)).body.code).toBe("idempotency_key_reused");
    }
    expect((await shop.sendRest(buyer, id)).body.code).toBe("rest_not_asked");
    const unkeyed = await buyer.call("POST", `/api/payment-requests/${id}/rest`, { upload_id });
    expect(unkeyed.body.code).toBe("idempotency_key_missing");
  });

  it.each([
    ["one key", (key: ReturnType<typeof randomUUID>) => key, [201, 201]],
    ["two keys", () => randomUUID(), [201, 409]],
  ] as const)("stores one part for two submits at once with %s", async (_keys, keyOf, statuses) => {
    const { buyer, id } = await shop.asked();
    const [key, upload_id] = [randomUUID(), await uploadScreenshot(buyer)];
    const answers = await Promise.all([0, 1].map(() => shop.sendRest(buyer, id, { upload_id }, keyOf(key))));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual(statuses);
    expect((await shop.mine(buyer)).parts).toHaveLength(1);
  });

  it("takes one screenshot for the rest or for another request, not for both at once", async () => {
    const { buyer, id } = await shop.asked();
    const upload_id = await uploadScreenshot(buyer);
    const answers = await Promise.all([
      shop.sendRest(buyer, id, { upload_id }),
      pay(buyer, { package_type: "starter", extra: { upload_id } }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe("upload_used");
  });

  it("refuses the screenshot of any request, and the files and requests of others", async () => {
    const { buyer, id } = await shop.asked();
    const [{ screenshot_object_id: used }] = (await app.sql("select * from payment_requests where id = $1", [id])) as [any];
    expect((await shop.sendRest(buyer, id, { upload_id: used })).body.code).toBe("upload_used");
    const stranger = await student(app);
    expect((await shop.sendRest(buyer, id, { upload_id: await uploadScreenshot(stranger) })).body.code).toBe(
      "upload_not_found",
    );
    expect((await shop.sendRest(stranger, id)).body.code).toBe("payment_request_not_found");
    expect((await shop.sendRest(buyer, id, { upload_id: "" })).body.code).toBe("screenshot_missing");
    expect((await shop.mine(buyer)).parts).toEqual([]);
    const sent = await uploadScreenshot(buyer);
    await shop.sendRest(buyer, id, { upload_id: sent });
    expect((await pay(buyer, { package_type: "starter", extra: { upload_id: sent } })).body.code).toBe("upload_used");
  });

  it("refuses the reference of the first part, and a malformed one", async () => {
    const buyer = await student(app);
    const id = await shop.payBaht(buyer, { reference: "first 1" });
    await shop.ask(id);
    expect((await shop.sendRest(buyer, id, { reference: "FIRST1" })).body.code).toBe("reference_repeated");
    expect((await shop.sendRest(buyer, id, { reference: "<b>" })).body.code).toBe("reference_invalid");
    await shop.sendRest(buyer, id, { reference: "second2" });
    await shop.ask(id, "10001");
    expect((await shop.sendRest(buyer, id, { reference: "second2" })).body.code).toBe("reference_repeated");
  });

  it("refuses a rest that was never asked for, or that comes after the decision", async () => {
    const buyer = await student(app);
    const id = await shop.payBaht(buyer);
    expect((await shop.sendRest(buyer, id)).body.code).toBe("rest_not_asked");
    await shop.ask(id);
    await shop.approve(id);
    expect((await shop.sendRest(buyer, id)).body.code).toBe("payment_request_decided");
  });

  // SLIP-1
  it("has no slip read of a payment in coins", async () => {
    const buyer = await student(app);
    const { id } = (await pay(buyer)).body;
    await shop.ask(id, "0.01");
    expect((await shop.sendRest(buyer, id)).status).toBe(201);
    expect(await slipsOf(id)).toEqual([]);
  });

  it("refuses a rest that waited while the request was decided", async () => {
    const { buyer, id } = await shop.asked();
    const upload_id = await uploadScreenshot(buyer);
    const decided = {
      text: "update payment_requests set status = 'rejected', rejection_reason = 'No', decided_at = now(), decided_by = 'a', rest_asked_at = null where id = $1",
      values: [id],
    };
    const answer = await behindTransaction(app, decided, () => shop.sendRest(buyer, id, { upload_id }));
    expect(answer.body.code).toBe("payment_request_decided");
    expect(await app.sql("select 1 from payment_request_parts where payment_request_id = $1", [id])).toEqual([]);
  });

  it("either decides with the part or refuses it, when both come at once", async () => {
    for (let round = 0; round < 4; round += 1) {
      const { buyer, id } = await shop.asked();
      const [sent, decided] = await Promise.all([shop.sendRest(buyer, id), shop.approve(id)]);
      expect(decided.status).toBe(200);
      expect([
        [201, undefined],
        [409, "payment_request_decided"],
      ]).toContainEqual(outcome(sent));
      expect((await shop.mine(buyer)).parts).toHaveLength(sent.status === 201 ? 1 : 0);
      expect(await shop.rowOf(id)).toMatchObject({ amount_received: sent.status === 201 ? null : "10000.00" });
    }
  });
});

/** EVIDENCE-2. */
describe("the reference of a further part", () => {
  const referenceOf = async (id: string) =>
    (await operator.call("GET", `/api/payment-requests/${id}`)).body.evidence.find((one: any) => one.kind === "reference");
  const newReference = () => randomUUID().replaceAll("-", "");

  it("is disputed like any other, and of both requests one can be approved", async () => {
    const [one, other] = [await shop.asked(), await shop.asked()];
    const reference = newReference();
    for (const { buyer, id } of [one, other]) expect((await shop.sendRest(buyer, id, { reference })).status).toBe(201);
    expect(await referenceOf(one.id)).toMatchObject({
      verdict: "disputed",
      details: { others: [{ email: other.buyer.email }] },
    });
    expect(await referenceOf(other.id)).toMatchObject({ verdict: "disputed" });
    const answers = await Promise.all([shop.approve(one.id), shop.approve(other.id)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body.code).toBe("reference_approved");
    expect(refused?.body.error).toContain("with this transaction reference was already approved.");
  });

  it("is disputed with the first reference of another request", async () => {
    const reference = newReference();
    const thief = await student(app);
    const stolen = await shop.payBaht(thief, { reference });
    const { buyer, id } = await shop.asked({ reference: newReference() });
    await shop.sendRest(buyer, id, { reference });
    expect((await referenceOf(stolen)).details.others).toMatchObject([{ payment_request_id: id }]);
    expect((await shop.approve(id)).status).toBe(200);
    expect((await shop.approve(stolen)).body.code).toBe("reference_approved");
  });

  it("is of one approved request also where approvals at once are of two years", async () => {
    const reference = newReference();
    const [one, other] = [await shop.asked(), await shop.asked()];
    for (const { buyer, id } of [one, other]) await shop.sendRest(buyer, id, { reference });
    const nextYear = await startApp({ beside: app });
    try {
      nextYear.clock.set(366 * 24 * 3600);
      const there = partialPayments(nextYear, await admin(nextYear));
      // That sign-in has deleted the sessions of the year before.
      operator = await admin(app);
      shop = partialPayments(app, operator);
      // Both have compared their references where each waits for this lock, or one waits for the other.
      const writing = { text: "lock table payment_requests in share mode" };
      const both = () => Promise.all([shop.approve(one.id), there.approve(other.id)]);
      const answers = await behindTransaction(app, writing, both, undefined, 2);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    } finally {
      await nextYear.close();
    }
  });
});

/** PART-5. */
describe("the screenshot of a further part", () => {
  // The last one: the clock ends every session.
  it("keeps the screenshot of a part from the removal of unused files", async () => {
    const { buyer, id } = await shop.asked();
    const upload_id = await uploadScreenshot(buyer, await receipt().png().toBuffer());
    await shop.sendRest(buyer, id, { upload_id });
    app.clock.advance(25 * 3600);
    const { db, clock, config, objects, pictures } = app.deps;
    const locks = { ifFree: (_id: string, action: () => Promise<void>) => action() };
    await sweep({ db, clock, objects, buckets: [screenshotBucket(config, pictures)], locks });
    expect(await app.sql("select 1 from stored_objects where id = $1", [upload_id])).toHaveLength(1);
  });
});
