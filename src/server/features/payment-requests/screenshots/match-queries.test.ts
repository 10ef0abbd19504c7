import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { receipt } from "../../../../../tests/support/payment-requests/draw-receipt.ts";
import { partialPayments } from "../../../../../tests/support/payment-requests/partial-payments.ts";
import { pay, tinyPng, uploadScreenshot } from "../../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

// DECIDE-6
it("lists duplicates of both parts together, the approved request first", async () => {
  const parts = partialPayments(app, operator);
  const screenshots = [tinyPng, await receipt().png().toBuffer()] as const;
  const payBy = async (buyer: Person, screenshot: Buffer): Promise<string> => {
    const choice = { package_type: "advanced", crypto_type: "thai_bank", screenshot } as const;
    return (await pay(buyer, choice)).body.id;
  };
  const older = await payBy(await student(app), screenshots[0]);
  app.clock.advance(1);
  const approved = await payBy(await student(app), screenshots[1]);
  await parts.approve(approved);
  // Whichever part comes first.
  for (const [first, second] of [screenshots, screenshots.toReversed()] as [Buffer, Buffer][]) {
    const buyer = await student(app);
    const id = await payBy(buyer, first);
    await parts.ask(id, "10000");
    await parts.sendRest(buyer, id, { upload_id: await uploadScreenshot(buyer, second) });
    const { body } = await operator.call("GET", `/api/payment-requests/${id}`);
    const ids = body.screenshot_matches.map((match: { payment_request_id: string }) => match.payment_request_id);
    expect(ids.slice(0, 2)).toEqual([approved, older]);
  }
});
