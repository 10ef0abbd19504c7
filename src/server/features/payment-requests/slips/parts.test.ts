import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestJob } from "../../../../../tests/support/background-job.ts";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { pay, tinyPng, uploadScreenshot } from "../../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { partialPayments } from "../../../../../tests/support/payment-requests/partial-payments.ts";
import { slipPicture } from "../../../../../tests/support/slips/slip-picture.ts";
import { newSlipCode, startSlipShop, type SlipShop } from "../../../../../tests/support/slips/slip-shop.ts";

let shop: SlipShop;
let app: TestApp;
let operator: Person;
let slips: TestJob;
let partial: ReturnType<typeof partialPayments>;
beforeAll(async () => {
  shop = await startSlipShop();
  ({ app, operator, slips } = shop);
  partial = partialPayments(app, operator);
});
afterAll(() => shop?.close());

const cropped = async (picture: Buffer): Promise<Buffer> => {
  const { width, height } = await sharp(picture).metadata();
  const [left, top] = [Math.round(width / 50), Math.round(height / 50)];
  return sharp(picture)
    .extract({ left, top, width: width - 2 * left, height: height - 2 * top })
    .jpeg({ quality: 80 })
    .toBuffer();
};

interface Proof {
  screenshot?: Buffer;
  reference?: string;
}

const payFirst = async (buyer: Person, { screenshot, reference }: Proof = {}): Promise<string> => {
  const reply = await pay(buyer, {
    package_type: "advanced",
    crypto_type: "thai_bank",
    coupon_code: "LUNCH",
    ...(screenshot && { screenshot }),
    extra: { reference },
  });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body.id;
};

const payRest = async (buyer: Person, id: string, { screenshot = tinyPng, reference }: Proof): Promise<void> => {
  expect((await partial.ask(id)).status).toBe(200);
  const upload_id = await uploadScreenshot(buyer, screenshot);
  expect((await partial.sendRest(buyer, id, { upload_id, reference })).status).toBe(201);
};

/** Returns the request of a new student who paid it in two parts. */
const payInParts = async (first: Proof, rest: Proof, buyer?: Person): Promise<string> => {
  const payer = buyer ?? (await student(app));
  const id = await payFirst(payer, first);
  await payRest(payer, id, rest);
  return id;
};

const evidenceOf = async (id: string, kind = "slip"): Promise<any> =>
  (await operator.call("GET", `/api/payment-requests/${id}`)).body.evidence.find((one: any) => one.kind === kind);

/** Reads all slips that are due, and returns what one request's slips say. */
const readSlips = async (id: string): Promise<any> => {
  await slips.job.run();
  return evidenceOf(id);
};

const idsOf = ({ details }: any): string[] => details.others.map((other: any) => other.payment_request_id);

/** SLIP-2, SLIP-3. */
describe("the slip of a further part", () => {
  it("is read after it was sent, and named beside the first", async () => {
    const [first, rest] = [newSlipCode(), newSlipCode()];
    const id = await payInParts({ screenshot: await slipPicture(first) }, { screenshot: await slipPicture(rest) });
    expect(await evidenceOf(id)).toBeUndefined();
    expect(await readSlips(id)).toMatchObject({
      verdict: "read",
      text: `Part 1: The slip is of Kasikornbank, reference ${first.reference}. Part 2: The slip is of Kasikornbank, reference ${rest.reference}.`,
      details: { others: [] },
    });
  });

  it("is named as the second while only it was read", async () => {
    const id = await payInParts(
      { screenshot: await slipPicture(newSlipCode()) },
      { screenshot: await slipPicture(newSlipCode()) },
    );
    await app.sql(
      "update transfer_slips set next_attempt_at = 'infinity' from payment_requests where screenshot_object_id = object_id and id = $1",
      [id],
    );
    expect((await readSlips(id)).text).toMatch(/^Part 2: The slip is of [^:]+$/);
  });

  it("is held against the reference that was typed for it", async () => {
    const [first, rest] = [newSlipCode(), newSlipCode()];
    const right = await payInParts(
      { screenshot: await slipPicture(first), reference: first.reference },
      { screenshot: await slipPicture(rest), reference: rest.reference },
    );
    expect(await readSlips(right)).toMatchObject({ verdict: "read" });
    const wrong = await payInParts(
      { screenshot: await slipPicture(newSlipCode()) },
      { screenshot: await slipPicture(newSlipCode()), reference: "20261122000017" },
    );
    const { verdict, text } = await readSlips(wrong);
    expect(verdict).toBe("differs");
    expect(text).toMatch(/^Part 1: [^.]+\. Part 2: [^.]+\. The student typed another reference: 20261122000017\.$/);
  });

  it("is looked for in bank transfers only", async () => {
    const buyer = await student(app);
    const { id, amount_crypto } = (await pay(buyer)).body;
    expect((await partial.ask(id, (Number(amount_crypto) / 2).toFixed(8))).status).toBe(200);
    const upload_id = await uploadScreenshot(buyer, await slipPicture(newSlipCode()));
    expect((await partial.sendRest(buyer, id, { upload_id })).status).toBe(201);
    expect(await app.sql("select 1 from transfer_slips where object_id = $1", [upload_id])).toEqual([]);
  });
});

/** SLIP-4. */
describe("a transfer used for a further part", () => {
  it("is named on both requests when its slip is cropped for another student's rest", async () => {
    const picture = await slipPicture(newSlipCode());
    const victim = await student(app);
    const paid = await payFirst(victim, { screenshot: picture });
    const stolen = await payInParts({ screenshot: await slipPicture(newSlipCode()) }, { screenshot: await cropped(picture) });
    const evidence = await readSlips(stolen);
    expect([evidence.verdict, idsOf(evidence)]).toEqual(["used_before", [paid]]);
    expect(evidence.text).toMatch(/^Part 1: [^.]+\. Part 2: [^.]+\. The same transfer belongs to a request of /);
    expect(evidence.text).toContain(victim.email);
    const other = await evidenceOf(paid);
    expect([other.verdict, idsOf(other)]).toEqual(["used_before", [stolen]]);
  });

  it("is found when two students send one slip as their rest", async () => {
    const code = newSlipCode();
    const one = await payInParts({}, { screenshot: await slipPicture(code, 1) });
    const two = await payInParts({}, { screenshot: await slipPicture(code, 2) });
    expect(idsOf(await readSlips(one))).toEqual([two]);
    expect(idsOf(await evidenceOf(two))).toEqual([one]);
  });

  it("is found when the student sends the first slip again as the rest", async () => {
    const picture = await slipPicture(newSlipCode());
    const id = await payInParts({ screenshot: picture }, { screenshot: await cropped(picture) });
    const { verdict, text, details } = await readSlips(id);
    expect([verdict, details.others]).toEqual(["used_before", []]);
    expect(text.match(/Part \d: [^.]+\. The same transfer belongs to another part of this payment\./g)).toHaveLength(2);
    expect((await operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "Not yet." })).status).toBe(200);
    expect(await evidenceOf(id)).toMatchObject({ verdict, text });
  });

  it("has the five oldest of the others named beside another part of the payment", async () => {
    const code = newSlipCode();
    const id = await payInParts({ reference: code.reference }, { screenshot: await slipPicture(code) });
    const others: string[] = [];
    for (let index = 0; index < 5; index++) {
      app.clock.advance(1);
      others.push(await payFirst(await student(app), { reference: code.reference }));
    }
    const evidence = await readSlips(id);
    expect(idsOf(evidence)).toEqual(others);
    expect(evidence.text).toMatch(/belongs to another part of this payment\. .* and at least 4 more\.$/);
  });

  it("is found when its reference was typed for another part of the payment", async () => {
    const code = newSlipCode();
    const slip = { screenshot: await slipPicture(code) };
    const typed = { reference: code.reference };
    for (const id of [await payInParts(typed, slip), await payInParts(slip, typed)]) {
      const { verdict, text } = await readSlips(id);
      expect(verdict).toBe("used_before");
      expect(text).toContain("The same transfer belongs to another part of this payment.");
    }
  });

  it("is found where another student typed its reference for the rest, by both", async () => {
    const code = newSlipCode();
    const typed = await payInParts({}, { reference: code.reference });
    const asRest = await payInParts({}, { screenshot: await slipPicture(code, 3) });
    const asFirst = await payFirst(await student(app), { screenshot: await slipPicture(code, 4) });
    expect(idsOf(await readSlips(asRest)).toSorted()).toEqual([typed, asFirst].toSorted());
    expect(idsOf(await evidenceOf(asFirst)).toSorted()).toEqual([typed, asRest].toSorted());
    const disputed = await evidenceOf(typed, "reference");
    expect([disputed.verdict, idsOf(disputed).toSorted()]).toEqual(["disputed", [asRest, asFirst].toSorted()]);
  });

  it("is named by the reference of any part, the oldest request first", async () => {
    const [first, rest] = [newSlipCode(), newSlipCode()];
    const typed = await payInParts({ reference: first.reference }, { reference: rest.reference });
    const named: string[] = [];
    for (const code of [rest, first]) {
      app.clock.advance(1);
      named.push(await payFirst(await student(app), { screenshot: await slipPicture(code) }));
    }
    await slips.job.run();
    expect(idsOf(await evidenceOf(typed, "reference"))).toEqual(named);
  });

  it("is named once where a part has the slip and the reference too", async () => {
    const code = newSlipCode();
    const both = { screenshot: await slipPicture(code, 5), reference: code.reference };
    const one = await payInParts({}, both);
    const two = await payInParts({}, { ...both, screenshot: await slipPicture(code, 6) });
    expect(idsOf(await readSlips(one))).toEqual([two]);
    const typed = await evidenceOf(one, "reference");
    expect(idsOf(typed)).toEqual([two]);
    expect(typed.text).not.toContain("The slip of");
  });

  it("is not the rest of the student's own rejected request, and is that of another's", async () => {
    const buyer = await student(app);
    const code = newSlipCode();
    const rejected = await payInParts({}, { screenshot: await slipPicture(code, 7) }, buyer);
    expect((await operator.call("POST", `/api/payment-requests/${rejected}/reject`, { reason: "Not yet." })).status).toBe(200);
    const again = await payFirst(buyer, { screenshot: await slipPicture(code, 8) });
    expect(await readSlips(again)).toMatchObject({ verdict: "read", details: { others: [] } });
    const other = await payFirst(await student(app), { screenshot: await slipPicture(code, 9) });
    expect(idsOf(await readSlips(other)).toSorted()).toEqual([rejected, again].toSorted());
  });
});
