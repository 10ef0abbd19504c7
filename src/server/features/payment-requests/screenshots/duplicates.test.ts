// Over 250 lines: every way in which a picture can come again, each with what the admin is told.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import type { DuplicateKind } from "#domain/payments/payment-request";
import { adminEmail, type TestApp } from "../../../../../tests/support/app.ts";
import { mailsTo } from "../../../../../tests/support/mails/received.ts";
import { pay, tinyPng, uploadScreenshot } from "../../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { receipt, someReceipt } from "../../../../../tests/support/payment-requests/draw-receipt.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { uploader } from "../../../../../tests/support/uploads.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());
/** Every test begins without the screenshots of others. */
beforeEach(() => app.sql("truncate screenshot_fingerprints, duplicate_screenshots"));

/** Submits a request with this file and returns its id. */
async function send(buyer: Person, screenshot: Buffer): Promise<string> {
  const answer = await pay(buyer, { screenshot });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  expect(answer.body).not.toHaveProperty("screenshot_matches");
  return answer.body.id;
}

const reviewed = async (id: string): Promise<ReviewedPaymentRequest> => {
  const { body } = await operator.call("GET", "/api/payment-requests?limit=50");
  return body.items.find((request: ReviewedPaymentRequest) => request.id === id);
};
const matchesOf = async (id: string): Promise<[string, string][]> =>
  (await reviewed(id)).screenshot_matches.map((match) => [match.kind, match.payment_request_id]);

const reject = (id: string) => operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "Not readable." });
const picturesKnown = async (): Promise<boolean[]> =>
  (await app.sql<{ known: boolean }>("select bands is not null as known from screenshot_fingerprints")).map(
    ({ known }) => known,
  );

/** Duplicates of each kind, and a function that makes the one of a number. */
const kinds: [DuplicateKind, (count: number) => Buffer | Promise<Buffer>][] = [
  ["same_file", () => tinyPng],
  [
    "same_picture",
    (count) =>
      receipt()
        .jpeg({ quality: 60 + count })
        .toBuffer(),
  ],
];

describe("the same file sent for another request", () => {
  it("flags the same file to the admin on both requests", async () => {
    const [first, second] = [await student(app), await student(app)];
    const one = await send(first, tinyPng);
    await operator.call("POST", `/api/payment-requests/${one}/approve`);
    const two = await send(second, tinyPng);
    expect((await reviewed(two)).screenshot_matches).toEqual([
      {
        payment_request_id: one,
        kind: "same_file",
        user_id: first.id,
        email: first.email,
        status: "approved",
        created_at: (await reviewed(one)).created_at,
      },
    ]);
    expect(await matchesOf(one)).toEqual([["same_file", two]]);
    const answer = await reject(two);
    expect(answer.body.screenshot_matches).toMatchObject([{ payment_request_id: one }]);
  });

  it("flags the same file uploaded in another way", async () => {
    const [first, second] = [await student(app), await student(app)];
    const one = await send(first, tinyPng);
    const upload_id = await uploader(app, second).upload("payment-screenshots", tinyPng, "again.png");
    const two = await pay(second, { extra: { upload_id } });
    expect(await matchesOf(two.body.id)).toEqual([["same_file", one]]);
  });

  it("flags a student's own screenshot of a rejected request", async () => {
    const buyer = await student(app);
    const file = await receipt().png().toBuffer();
    const one = await send(buyer, file);
    await reject(one);
    const two = await send(buyer, file);
    expect((await reviewed(two)).screenshot_matches).toMatchObject([
      { payment_request_id: one, kind: "same_file", email: buyer.email, status: "rejected" },
    ]);
  });

  it("flags all pairs of six identical files that arrive at once", async () => {
    const buyers = await Promise.all(Array.from({ length: 6 }, () => student(app)));
    const file = await receipt().png().toBuffer();
    const uploads = await Promise.all(buyers.map((buyer) => uploadScreenshot(buyer, file)));
    const pairs = await app.sql("select object_id from duplicate_screenshots where object_id = any($1)", [uploads]);
    expect(pairs).toHaveLength(6 * 5);
  });

  it("lists five of many duplicates: the approved one first, then the oldest", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      ids.push(await send(await student(app), tinyPng));
      app.clock.advance(1);
    }
    await operator.call("POST", `/api/payment-requests/${ids[5]}/approve`);
    expect((await matchesOf(ids[6]!)).map(([, id]) => id)).toEqual([ids[5], ...ids.slice(0, 4)]);
  });

  it.each(kinds)("lists the approved one of more than 20 first, then the oldest: %s", async (_kind, file) => {
    const ids: string[] = [];
    for (let count = 0; count < 23; count += 1) {
      ids.push(await send(await student(app), await file(count)));
      if (count === 1) await operator.call("POST", `/api/payment-requests/${ids[1]}/approve`);
      app.clock.advance(1);
    }
    expect((await matchesOf(ids[22]!)).map(([, id]) => id)).toEqual([ids[1], ids[0], ...ids.slice(2, 5)]);
  });

  it.each(kinds)("finds the screenshot of a request behind 25 unused duplicates: %s", async (kind, file) => {
    const one = await send(await student(app), await file(25));
    // By its edges it is the least similar of all.
    await app.sql("update screenshot_fingerprints set edges = ~edges");
    const flooder = await student(app);
    for (let count = 0; count < 25; count += 1) await uploadScreenshot(flooder, await file(count));
    const two = await send(await student(app), await file(26));
    expect(await matchesOf(two)).toEqual([[kind, one]]);
    const [own] = await app.sql<{ count: string }>(
      "select count(*) from duplicate_screenshots where object_id = (select screenshot_object_id from payment_requests where id = $1)",
      [two],
    );
    expect(Number(own?.count)).toBe(20);
  });

  it("stores 20 duplicates at most, same files and same pictures together", async () => {
    const flooder = await student(app);
    const picture = kinds[1]![1];
    for (let count = 0; count < 12; count += 1) {
      await uploadScreenshot(flooder, await picture(count));
      await uploadScreenshot(flooder, await picture(25));
    }
    const last = await uploadScreenshot(flooder, await picture(25));
    expect(await app.sql("select 1 from duplicate_screenshots where object_id = $1", [last])).toHaveLength(20);
  });
});

describe("one file uploaded many times before any request has it", () => {
  it.each(kinds)("flags any two of many duplicates that requests use in the end: %s", async (kind, file) => {
    const buyers = await Promise.all(Array.from({ length: 2 }, () => student(app)));
    const uploads: string[][] = [[], []];
    for (let count = 0; count < 24; count += 1)
      for (const [index, buyer] of buyers.entries()) uploads[index]!.push(await uploadScreenshot(buyer, await file(count)));
    const pairs = await app.sql<{ object_id: string; other_object_id: string }>(
      "select object_id, other_object_id from duplicate_screenshots",
    );
    const isKnown = (one: string, other: string): boolean =>
      pairs.some((pair) => pair.object_id === one && pair.other_object_id === other);
    const evading = uploads[0]!.flatMap((one) => uploads[1]!.map((other) => [one, other] as const));
    const [first, second] = evading.findLast((pair) => !isKnown(...pair))!;
    const one = await pay(buyers[0]!, { extra: { upload_id: first } });
    const two = await pay(buyers[1]!, { extra: { upload_id: second } });
    expect(await matchesOf(two.body.id)).toEqual([[kind === "same_file" ? kind : expect.anything(), one.body.id]]);
    const mail = (await mailsTo(app, adminEmail)).find(({ text }) => text.includes(two.body.id));
    expect(mail?.text).toContain(buyers[0]!.email);
  });
});

describe("a receipt saved again", () => {
  it.each([
    ["as a JPEG of low quality", () => receipt().jpeg({ quality: 40 })],
    ["as WebP", () => receipt().webp({ quality: 60 })],
    ["as AVIF", () => receipt().avif({ quality: 50, effort: 2 })],
    ["as a GIF", () => receipt().gif()],
    ["smaller, by a messenger", () => receipt().resize(430).jpeg({ quality: 70 })],
    ["larger", () => receipt().resize(1170).png()],
    ["on its side, with EXIF telling so", () => receipt().rotate(270).jpeg().withMetadata({ orientation: 6 })],
  ])("flags a receipt saved again %s", async (_how, copy) => {
    const [first, second] = [await student(app), await student(app)];
    const one = await send(first, await receipt().png().toBuffer());
    const two = await send(second, await copy().toBuffer());
    expect(await matchesOf(two)).toEqual([["same_picture", one]]);
    expect(await matchesOf(one)).toEqual([["same_picture", two]]);
  });

  it.each([
    ["amount", { ...someReceipt, amount: "34,895.00" }],
    ["reference", { ...someReceipt, reference: "014312143977" }],
    ["time", { ...someReceipt, date: "12.11.2026 18:02" }],
  ])("does not flag a receipt of the same bank with another %s", async (_what, facts) => {
    const [first, second] = [await student(app), await student(app)];
    const one = await send(first, await receipt().png().toBuffer());
    const two = await send(second, await receipt(facts).jpeg().toBuffer());
    expect([await matchesOf(one), await matchesOf(two)]).toEqual([[], []]);
    expect(await picturesKnown()).toEqual([true, true]);
  });

  it("finds a copy among many receipts of the same bank", async () => {
    const buyer = await student(app);
    for (let count = 0; count < 12; count += 1) {
      const facts = { ...someReceipt, reference: `0143${count * 7919 + 10_000_000}` };
      await uploadScreenshot(buyer, await receipt(facts).png().toBuffer());
    }
    const one = await send(buyer, await receipt().png().toBuffer());
    const two = await send(await student(app), await receipt().resize(500).jpeg().toBuffer());
    expect(await matchesOf(two)).toEqual([["same_picture", one]]);
  });
});

describe("the verdict on a screenshot", () => {
  const verdictOf = async (id: string): Promise<string | null> => (await reviewed(id)).screenshot_verdict;

  it("reports new, similar and same-file screenshots", async () => {
    const original = await receipt().png().toBuffer();
    expect(await verdictOf(await send(await student(app), original))).toBe("new");
    const two = await send(await student(app), await receipt().jpeg({ quality: 60 }).toBuffer());
    expect(await verdictOf(two)).toBe("similar");
    expect(await verdictOf(await send(await student(app), original))).toBe("same_file");
  });

  it("reports a blank screenshot as not compared, also in the mail to the admin", async () => {
    const id = await send(await student(app), tinyPng);
    expect(await verdictOf(id)).toBe("not_compared");
    const mail = (await mailsTo(app, adminEmail)).find(({ text }) => text.includes(id));
    expect(mail?.text).toContain("The screenshot could not be compared with earlier ones.");
  });
});

describe("a duplicate screenshot in replies", () => {
  it("names the other payer to the admin and not to the student", async () => {
    const [first, second] = [await student(app), await student(app)];
    await send(first, tinyPng);
    const two = await send(second, tinyPng);
    const mail = (await mailsTo(app, adminEmail)).find(({ text }) => text.includes(two));
    expect(mail?.text).toMatch(`The screenshot is the same file as that of a request of ${first.email} (pending, submitted 20`);
    for (const { text } of await mailsTo(app, second.email)) expect(text).not.toMatch(/same file|looks like|@example\.com/);
    for (const path of ["/api/payment-requests/mine", "/api/me"]) {
      const { body } = await second.call("GET", path);
      expect(JSON.stringify(body)).not.toMatch(new RegExp(`match|likeness|same_|${first.email}`));
    }
    expect((await second.call("GET", "/api/payment-requests")).status).toBe(403);
  });

  it("names a student's own earlier screenshot, also after a change of address", async () => {
    const buyer = await student(app);
    const one = await send(buyer, tinyPng);
    await reject(one);
    await app.sql("update accounts set email = $2 where id = $1", [buyer.id, `moved-${buyer.email}`]);
    const two = await send(buyer, tinyPng);
    const mails = await mailsTo(app, adminEmail);
    expect(mails.find(({ text }) => text.includes(two))?.text).toMatch(
      /same file as that of another request of the same student/,
    );
    expect(mails.find(({ text }) => text.includes(one))?.text).not.toMatch(/same file|looks like that of/);
  });
});
