import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../../tests/support/app.ts";
import type { TestJob } from "../../../../../tests/support/background-job.ts";
import { flagJobOf } from "../../../../../tests/support/payment-requests/flag-job.ts";
import { partialPayments } from "../../../../../tests/support/payment-requests/partial-payments.ts";
import { pay, tinyPng, uploadScreenshot } from "../../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { slipPicture, slipsPicture } from "../../../../../tests/support/slips/slip-picture.ts";
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

/** A picture without a code that is like no other. */
const somePicture = (): Promise<Buffer> =>
  sharp(randomBytes(24 * 24 * 3), { raw: { width: 24, height: 24, channels: 3 } })
    .resize(480, 480, { kernel: "nearest" })
    .png()
    .toBuffer();

const payWith = async (screenshot: Buffer, reference?: string): Promise<string> => {
  const reply = await pay(await student(app), { crypto_type: "thai_bank", screenshot, extra: { reference } });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body.id;
};

const evidenceOf = async (id: string, kind = "slip"): Promise<any> =>
  (await operator.call("GET", `/api/payment-requests/${id}`)).body.evidence.find((one: any) => one.kind === kind);

/** Reads all slips that are due, and returns what one request's slips say. */
const readSlips = async (id: string): Promise<any> => {
  await slips.job.run();
  return evidenceOf(id);
};

/** Sends a request, and returns its id when its slips were read and the flags that follow were stored. */
const checked = async (send: () => Promise<string>): Promise<string> => {
  const id = await send();
  await slips.job.run();
  await flagJobOf(app).run();
  return id;
};

const areFlagged = async (...ids: string[]): Promise<boolean[]> => {
  const rows = await app.sql<{ id: string; flagged: boolean }>("select id, flagged from payment_requests");
  return ids.map((id) => rows.find((row) => row.id === id)!.flagged);
};

const verdictAndOthers = ({ verdict, details }: any): [string, string[]] => [
  verdict,
  details.others.map((other: any) => other.payment_request_id).toSorted(),
];

/** SLIP-3. */
describe("a picture of two slips", () => {
  it.each([[0], [1]])("names both, and fits the reference typed from either (%i)", async (index) => {
    const codes = [newSlipCode(), newSlipCode()];
    const id = await payWith(await slipsPicture(codes), codes[index]!.reference);
    const { verdict, text } = await readSlips(id);
    expect(verdict).toBe("read");
    for (const { reference } of codes) expect(text).toContain(`is of Kasikornbank, reference ${reference}.`);
  });

  it("names both where two banks wrote the same reference", async () => {
    const code = newSlipCode();
    const id = await payWith(await slipsPicture([{ ...code, sending_bank: "014" }, code]));
    const { text } = await readSlips(id);
    const named = ["Slip 1 is of Kasikornbank", "Slip 2 is of Siam Commercial Bank"];
    expect(text).toBe(named.map((name) => `${name}, reference ${code.reference}.`).join(" "));
  });

  it("is another than a reference that is on neither", async () => {
    const id = await payWith(await slipsPicture([newSlipCode(), newSlipCode()]), "20261122000017");
    expect(await readSlips(id)).toMatchObject({ verdict: "differs" });
  });
});

/** SLIP-4. */
describe("each transfer on a picture of two slips", () => {
  it("belongs to that request, as the one who sends its slip alone is told", async () => {
    const codes = [newSlipCode(), newSlipCode()];
    const both = await payWith(await slipsPicture(codes));
    const alone = [await payWith(await slipPicture(codes[0]!, 5)), await payWith(await slipPicture(codes[1]!, 6))];
    expect(verdictAndOthers(await readSlips(both))).toEqual(["used_before", alone.toSorted()]);
    for (const id of alone) expect(verdictAndOthers(await evidenceOf(id))).toEqual(["used_before", [both]]);
  });

  it("is found where another student typed its reference, by both", async () => {
    const codes = [newSlipCode(), newSlipCode()];
    const typed = await Promise.all(codes.map(({ reference }) => payWith(tinyPng, reference)));
    const both = await payWith(await slipsPicture(codes));
    expect(verdictAndOthers(await readSlips(both))).toEqual(["used_before", typed.toSorted()]);
    for (const id of typed) expect(verdictAndOthers(await evidenceOf(id, "reference"))).toEqual(["disputed", [both]]);
  });

  // EVIDENCE-6
  it.each([
    ["slip", "after it"],
    ["slip", "before it"],
    ["reference", "after it"],
    ["reference", "before it"],
  ])("flags both requests where another has the %s %s", async (what, when) => {
    for (const index of [0, 1]) {
      const codes = [newSlipCode(), newSlipCode()];
      const code = codes[index]!;
      const send = [
        async () => payWith(await slipsPicture(codes)),
        async () => (what === "slip" ? payWith(await slipPicture(code, 5)) : payWith(await somePicture(), code.reference)),
      ];
      const first = await checked(when === "after it" ? send[0]! : send[1]!);
      expect(await areFlagged(first)).toEqual([false]);
      const second = await checked(when === "after it" ? send[1]! : send[0]!);
      expect(await areFlagged(first, second)).toEqual([true, true]);
    }
  });

  it("is found when one of them is sent again as a further part", async () => {
    const partial = partialPayments(app, operator);
    const buyer = await student(app);
    const codes = [newSlipCode(), newSlipCode()];
    const screenshot = await slipsPicture(codes);
    const { id } = (await pay(buyer, { package_type: "advanced", crypto_type: "thai_bank", coupon_code: "LUNCH", screenshot }))
      .body;
    expect((await partial.ask(id)).status).toBe(200);
    const upload_id = await uploadScreenshot(buyer, await slipPicture(codes[1]!, 7));
    expect((await partial.sendRest(buyer, id, { upload_id })).status).toBe(201);
    const { verdict, text } = await readSlips(id);
    expect(verdict).toBe("used_before");
    expect(text).toMatch(/ The transfer of slip \d belongs to another part of this payment\. Part 2: /);
  });
});
