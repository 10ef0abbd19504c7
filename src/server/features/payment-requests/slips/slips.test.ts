// Over 250 lines: slips share one shop and what it takes to send them.
import sharp from "sharp";
import { renderSVG } from "uqr";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { promptPayPayload } from "#domain/payment-methods/thai-bank/promptpay";
import type { TestJob } from "../../../../../tests/support/background-job.ts";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { pay, tinyPng, type PaymentChoice } from "../../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { slipJobOf } from "../../../../../tests/support/slips/job.ts";
import { slipPicture } from "../../../../../tests/support/slips/slip-picture.ts";
import { newSlipCode, startSlipShop, type SlipShop } from "../../../../../tests/support/slips/slip-shop.ts";

let shop: SlipShop;
let app: TestApp;
let operator: Person;
let slips: TestJob;
beforeAll(async () => {
  shop = await startSlipShop();
  ({ app, operator, slips } = shop);
});
afterAll(() => shop?.close());

interface Payment extends PaymentChoice {
  by?: Person;
  reference?: string;
}

const payWith = async (screenshot: Buffer, { by, reference, ...choice }: Payment = {}): Promise<string> => {
  const payer = by ?? (await student(app));
  const reply = await pay(payer, { crypto_type: "thai_bank", screenshot, extra: { reference }, ...choice });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body.id;
};

const evidenceOf = async (id: string, kind = "slip"): Promise<any> =>
  (await operator.call("GET", `/api/payment-requests/${id}`)).body.evidence.find((one: any) => one.kind === kind);

/** Reads all slips that are due, and returns what one request's slip says. */
const readSlip = async (id: string): Promise<any> => {
  await slips.job.run();
  return evidenceOf(id);
};

const reject = async (id: string): Promise<void> => {
  expect((await operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "Not yet." })).status).toBe(200);
};

/** SLIP-2, SLIP-3. */
describe("a transfer slip", () => {
  it("is read after the submit, for the admin alone", async () => {
    const buyer = await student(app);
    const code = newSlipCode();
    const id = await payWith(await slipPicture(code), { by: buyer });
    expect(await evidenceOf(id)).toBeUndefined();
    expect(await readSlip(id)).toEqual({
      kind: "slip",
      verdict: "read",
      text: `The slip is of Kasikornbank, reference ${code.reference}.`,
      at: app.clock.now().toISOString(),
      details: { sending_bank: "Kasikornbank", reference: code.reference, others: [] },
    });
    const { items } = (await operator.call("GET", `/api/payment-requests?search=${buyer.email}`)).body;
    expect(items[0].evidence.map(({ kind }: { kind: string }) => kind)).toContain("slip");
    expect(JSON.stringify((await buyer.call("GET", "/api/payment-requests/mine")).body)).not.toContain(code.reference);
  });

  it("reaches the admin's open page by itself", async () => {
    const awake = slipJobOf(app);
    awake.job.start();
    const topics: string[] = [];
    const unsubscribe = app.deps.changes.subscribe(({ topic }) => topics.push(topic));
    const id = await payWith(await slipPicture(newSlipCode()));
    await expect.poll(async () => (await evidenceOf(id))?.verdict).toBe("read");
    await expect.poll(() => topics.lastIndexOf("payment-requests")).toBeGreaterThan(topics.indexOf("slip"));
    unsubscribe();
    await awake.close();
  });

  it.each([
    ["written in another way", (reference: string) => reference.toLowerCase().replace("bpp", " bpp-"), "read"],
    ["of which the bank displays the end", (reference: string) => reference.slice(-9), "read"],
    ["that is another", () => "20261122000017", "differs"],
    ["that is one digit off", (reference: string) => reference.replace(/1/, "2"), "differs"],
  ])("is held against a typed reference %s", async (_what, typed, verdict) => {
    const code = newSlipCode();
    const id = await payWith(await slipPicture(code), { reference: typed(code.reference) });
    expect(await readSlip(id)).toMatchObject({ verdict });
  });

  it("says that a picture has no code, also where it has others", async () => {
    const blank = await payWith(tinyPng);
    const promptPay = await sharp(Buffer.from(renderSVG(promptPayPayload("0801234567", "17395.00"), { pixelSize: 6 })))
      .png()
      .toBuffer();
    const other = await payWith(promptPay);
    for (const id of [blank, other]) {
      expect(await readSlip(id)).toMatchObject({
        verdict: "none",
        text: "A transfer slip without a code, or with one that cannot be read.",
        details: { sending_bank: null, reference: null, others: [] },
      });
    }
  });

  it("is nothing where no picture is to be read", async () => {
    const id = await payWith(tinyPng);
    await app.sql(
      "delete from transfer_slips where object_id = (select screenshot_object_id from payment_requests where id = $1)",
      [id],
    );
    expect(await readSlip(id)).toBeUndefined();
  });

  it("is looked for in bank transfers only", async () => {
    const id = await payWith(await slipPicture(newSlipCode()), { crypto_type: "bitcoin" });
    expect(await readSlip(id)).toBeUndefined();
    const [{ count: rows } = { count: "" }] = await app.sql<{ count: string }>(
      `select count(*) from transfer_slips join payment_requests on screenshot_object_id = object_id where id = $1`,
      [id],
    );
    expect(rows).toBe("0");
  });
});

/** SLIP-4. */
describe("a transfer used before", () => {
  it("is named on both requests, however the picture was changed", async () => {
    const [nok, lek] = [await student(app), await student(app)];
    const code = newSlipCode();
    const one = await payWith(await slipPicture(code, 1), { by: nok });
    const two = await payWith(await slipPicture(code, 2), { by: lek });
    expect(await readSlip(two)).toMatchObject({
      verdict: "used_before",
      details: { others: [{ payment_request_id: one, email: nok.email, status: "pending" }] },
    });
    expect((await evidenceOf(two)).text).toContain(
      `The same transfer belongs to a request of ${nok.email} (pending, submitted 20`,
    );
    expect(await evidenceOf(one)).toMatchObject({ verdict: "used_before", details: { others: [{ payment_request_id: two }] } });
    expect((await evidenceOf(one, "screenshot")).verdict).toBe("new");
  });

  it("is seen by two requests that are submitted and read at once", async () => {
    const other = slipJobOf(app);
    const code = newSlipCode();
    const pictures = await Promise.all([3, 4].map((seed) => slipPicture(code, seed)));
    const ids = await Promise.all(pictures.map((picture) => payWith(picture)));
    await Promise.all([slips.job.run(), other.job.run()]);
    await other.close();
    for (const id of ids) expect(await readSlip(id)).toMatchObject({ verdict: "used_before", details: { others: [{}] } });
  });

  it("is found where another student typed the reference of the slip, by both", async () => {
    const code = newSlipCode();
    const typed = await payWith(tinyPng, { reference: code.reference });
    const id = await payWith(await slipPicture(code));
    expect(await readSlip(id)).toMatchObject({ verdict: "used_before", details: { others: [{ payment_request_id: typed }] } });
    expect(await evidenceOf(typed, "reference")).toMatchObject({
      verdict: "disputed",
      details: { others: [{ payment_request_id: id }] },
    });
  });

  it("is not the student's own rejected request, also with the same picture", async () => {
    const buyer = await student(app);
    const picture = await slipPicture(newSlipCode());
    const id = await payWith(picture, { by: buyer });
    await reject(id);
    const again = await buyer.call(
      "POST",
      `/api/payment-requests/${id}/resubmit`,
      {},
      { "idempotency-key": crypto.randomUUID() },
    );
    expect(again.status).toBe(201);
    expect(await readSlip(again.body.id)).toMatchObject({ verdict: "read", details: { others: [] } });
    await reject(again.body.id);
    const third = await payWith(picture, { by: buyer });
    expect(await readSlip(third)).toMatchObject({ verdict: "read" });
  });

  it("is another student's rejected request, and the student's own approved one", async () => {
    const [nok, lek] = [await student(app), await student(app)];
    const code = newSlipCode();
    const rejected = await payWith(await slipPicture(code, 5), { by: nok });
    await reject(rejected);
    const approved = await payWith(await slipPicture(code, 6), { by: lek });
    expect((await operator.call("POST", `/api/payment-requests/${approved}/approve`, {})).status).toBe(200);
    const again = await payWith(await slipPicture(code, 7), { by: lek, package_type: "advanced" });
    const { verdict, details } = await readSlip(again);
    expect([verdict, details.others.map((one: any) => one.status).toSorted()]).toEqual([
      "used_before",
      ["approved", "rejected"],
    ]);
  });

  it("is the same student's also after a change of address", async () => {
    const buyer = await student(app);
    const code = newSlipCode();
    const one = await payWith(await slipPicture(code, 8), { by: buyer });
    await app.sql("update accounts set email = $2 where id = $1", [buyer.id, `moved-${buyer.email}`]);
    const two = await payWith(await slipPicture(code, 9), { by: buyer, package_type: "advanced" });
    expect((await readSlip(two)).text).toContain("another request of the same student");
    expect((await evidenceOf(one)).text).toContain("another request of the same student");
  });

  it("is not a coin's request, whatever reference that has", async () => {
    const code = newSlipCode();
    const id = await payWith(await slipPicture(code));
    const coin = await payWith(tinyPng, { crypto_type: "bitcoin", reference: "a".repeat(64) });
    await app.sql("update payment_requests set reference = $2 where id = $1", [coin, code.reference]);
    expect(await readSlip(id)).toMatchObject({ verdict: "read", details: { others: [] } });
    expect(await evidenceOf(coin, "reference")).toMatchObject({ verdict: "unique" });
  });

  it("is not the student's own rejected request where only its reference is typed", async () => {
    const buyer = await student(app);
    const code = newSlipCode();
    const first = await payWith(await slipPicture(code, 10), { by: buyer });
    await slips.job.run();
    await reject(first);
    const typed = await payWith(tinyPng, { by: buyer, reference: code.reference });
    expect(await evidenceOf(typed, "reference")).toMatchObject({ verdict: "unique" });
  });

  it("names the five oldest requests of many, by both ways", async () => {
    const { sending_bank, reference } = newSlipCode();
    const ids: string[] = [];
    for (let index = 0; index < 8; index++) {
      app.clock.advance(1);
      ids.push(await payWith(tinyPng, index === 0 ? { reference } : {}));
    }
    await slips.job.run();
    // The newest first.
    for (const id of ids.slice(1).toReversed()) {
      await app.sql("insert into slip_codes select screenshot_object_id, $2, $3, $3 from payment_requests where id = $1", [
        id,
        sending_bank,
        reference,
      ]);
    }
    const idsOf = ({ details }: any): string[] => details.others.map((other: any) => other.payment_request_id);
    expect(idsOf(await evidenceOf(ids[0]!, "reference"))).toEqual(ids.slice(1, 6));
    const last = await evidenceOf(ids[7]!);
    expect(idsOf(last)).toEqual(ids.slice(0, 5));
    expect(last.text).toMatch(/ and at least 4 more\.$/);
  });

  it("is not one of another bank with the same reference", async () => {
    const code = newSlipCode();
    await payWith(await slipPicture(code));
    const id = await payWith(await slipPicture({ ...code, sending_bank: "002" }));
    expect(await readSlip(id)).toMatchObject({ verdict: "read", details: { sending_bank: "Bangkok Bank" } });
  });
});
