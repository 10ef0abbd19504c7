import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decisions } from "../../../../../tests/support/payment-requests/decisions.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";

let started: Awaited<ReturnType<typeof startShop>>;
let shop: ReturnType<typeof decisions>;
beforeAll(async () => {
  started = await startShop();
  shop = decisions(started.app, started.operator);
});
afterAll(() => started?.app.close());

/** A student whose tier was set by these approvals alone, so that the changes of two such students have the same numbers. */
async function buyerOf(...packages: ("starter" | "advanced")[]): Promise<{ buyer: Person; ids: string[] }> {
  const buyer = await student(started.app);
  const ids: string[] = [];
  for (const package_type of packages) {
    ids.push(await shop.request(buyer, { package_type }));
    await shop.approve(ids.at(-1)!);
  }
  return { buyer, ids };
}

describe("an undone approval leaves alone what another student has", () => {
  // REOPEN-2
  it("the tier before a later approval", async () => {
    const [one, other] = [await buyerOf("starter", "advanced"), await buyerOf("starter", "advanced")];
    await shop.reopen(one.ids[0]!);
    await shop.reopen(other.ids[1]!);
    expect(await shop.tierOf(other.buyer)).toBe("starter");
    await shop.reopen(one.ids[1]!);
    expect(await shop.tierOf(one.buyer)).toBe("unpaid");
  });

  // REOPEN-2
  it("the approval that has set the present tier", async () => {
    const [one, other] = [await buyerOf("starter", "advanced"), await buyerOf("starter")];
    await shop.reopen(one.ids[1]!);
    await shop.reopen(other.ids[0]!);
    expect(await shop.tierOf(other.buyer)).toBe("unpaid");
    await shop.reopen(one.ids[0]!);
    expect(await shop.tierOf(one.buyer)).toBe("unpaid");
  });

  // REOPEN-3
  it("the receipts that were cancelled", async () => {
    const [one, other] = [await buyerOf("starter"), await buyerOf("starter")];
    for (const { ids } of [one, other]) await shop.reopen(ids[0]!);
    const { body } = await started.operator.call("GET", `/api/payment-requests/${other.ids[0]}`);
    const [{ details }] = body.audit;
    expect(body.cancelled_receipts).toEqual([expect.objectContaining({ receipt_number: details.before.receipt_number })]);
  });
});
