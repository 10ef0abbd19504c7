import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { partialPayments } from "../../../../../tests/support/payment-requests/partial-payments.ts";
import { startShop } from "../../../../../tests/support/shop.ts";

let started: Awaited<ReturnType<typeof startShop>>;
let shop: ReturnType<typeof partialPayments>;
beforeAll(async () => {
  started = await startShop();
  shop = partialPayments(started.app, started.operator);
});
afterAll(() => started?.app.close());

// PART-4
describe("of two students who pay a rest", () => {
  it("each may have the same key, and each request has its own part", async () => {
    const [one, other] = [await shop.asked(), await shop.asked()];
    const key = randomUUID();
    const partOf = new Map<string, string>();
    for (const { buyer, id } of [one, other]) {
      const { status, body } = await shop.sendRest(buyer, id, {}, key);
      expect(status).toBe(201);
      partOf.set(id, body.parts[0].id);
    }
    const { items } = (await started.operator.call("GET", "/api/payment-requests")).body;
    expect(new Map(items.map(({ id, parts }: any) => [id, parts.map((part: any) => part.id).join()]))).toEqual(partOf);
  });
});
