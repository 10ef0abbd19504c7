import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { adminEmail, type TestApp } from "../../../../../tests/support/app.ts";
import { mailsTo } from "../../../../../tests/support/mails/received.ts";
import { pay, uploadScreenshot } from "../../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { receipt, someReceipt } from "../../../../../tests/support/payment-requests/draw-receipt.ts";
import { partialPayments } from "../../../../../tests/support/payment-requests/partial-payments.ts";
import { startShop } from "../../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
let shop: ReturnType<typeof partialPayments>;
beforeAll(async () => {
  ({ app, operator } = await startShop());
  shop = partialPayments(app, operator);
});
afterAll(() => app?.close());
/** Every test begins without the screenshots of others. */
beforeEach(() => app.sql("truncate screenshot_fingerprints, duplicate_screenshots"));

const drawn = (reference: string): Promise<Buffer> =>
  receipt({ ...someReceipt, reference })
    .png()
    .toBuffer();

describe("the screenshot of a further part", () => {
  it("is compared with all others, those of the same request included", async () => {
    const picture = await drawn("014399887766");
    const { buyer, id } = await shop.asked();
    await shop.sendRest(buyer, id, { upload_id: await uploadScreenshot(buyer, picture) });
    const thief = await student(app);
    const copy = (await pay(thief, { screenshot: picture })).body.id;
    const reviewed = async (email: string): Promise<any> =>
      (await operator.call("GET", `/api/payment-requests?search=${email}`)).body.items[0];
    expect((await reviewed(thief.email)).screenshot_matches).toMatchObject([{ payment_request_id: id, kind: "same_file" }]);
    const matches = (await reviewed(buyer.email)).screenshot_matches;
    expect(matches.map((match: any) => match.payment_request_id)).toContain(copy);
    await shop.ask(id, "10100");
    await shop.sendRest(buyer, id, { upload_id: await uploadScreenshot(buyer, picture) });
    const own = (await reviewed(buyer.email)).screenshot_matches.map((match: any) => match.payment_request_id);
    expect(own).toContain(id);
    const [mail] = await mailsTo(app, adminEmail);
    expect(mail?.text).toContain(`The screenshot is the same file as that of a request of ${thief.email}`);
  });

  it("is called the request's own earlier picture where that was sent before", async () => {
    const picture = await drawn("014399887755");
    const { buyer, id } = await shop.asked();
    await shop.sendRest(buyer, id, { upload_id: await uploadScreenshot(buyer, picture) });
    await shop.ask(id, "10100");
    await shop.sendRest(buyer, id, { upload_id: await uploadScreenshot(buyer, picture) });
    const { evidence } = (await operator.call("GET", `/api/payment-requests/${id}`)).body;
    expect(evidence.find((one: any) => one.kind === "screenshot").text).toBe(
      "The screenshot is the same file as an earlier one of this request.",
    );
  });

  it("leaves a request not compared where one screenshot could not be", async () => {
    const picture = await drawn("014399887733");
    const { buyer, id } = await shop.asked();
    await shop.sendRest(buyer, id, { upload_id: await uploadScreenshot(buyer, picture) });
    expect((await operator.call("GET", `/api/payment-requests/${id}`)).body.screenshot_verdict).toBe("not_compared");
  });

  it("is listed beside its likenesses, the oldest request first", async () => {
    const pictures = await Promise.all(["014399887711", "014399887722"].map(drawn));
    const others: string[] = [];
    for (const screenshot of pictures) {
      app.clock.advance(1);
      others.push((await pay(await student(app), { screenshot })).body.id);
    }
    const { buyer, id } = await shop.asked();
    for (const [index, picture] of pictures.entries()) {
      if (index > 0) await shop.ask(id, "10100");
      await shop.sendRest(buyer, id, { upload_id: await uploadScreenshot(buyer, picture) });
    }
    const { screenshot_matches } = (await operator.call("GET", `/api/payment-requests/${id}`)).body;
    expect(screenshot_matches.map((match: any) => match.payment_request_id)).toEqual(others);
  });
});
