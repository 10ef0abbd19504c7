import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { transaction } from "#server/platform/db/transaction";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { partialPayments } from "../../../../../tests/support/payment-requests/partial-payments.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import type { SubscriptionStatus } from "#domain/packages";
import type { Dependencies } from "../../../dependencies.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { findById } from "../queries.ts";
import { changeTier, withdrawRests } from "./change-tier.ts";
import { restKey } from "./mail.ts";

let app: TestApp;
let operator: Person;
let shop: ReturnType<typeof partialPayments>;
beforeAll(async () => {
  ({ app, operator } = await startShop());
  shop = partialPayments(app, operator);
});
afterAll(() => app?.close());

/** Returns which mails an action withdraws, and why. */
async function withdrawnBy(action: (deps: Dependencies, tx: Transaction) => Promise<unknown>): Promise<[string[], string][]> {
  const withdrawn: [string[], string][] = [];
  const { outbox } = app.deps;
  const recording: typeof outbox = {
    ...outbox,
    withdrawAll: (tx, keys, reason) => {
      withdrawn.push([[...keys], reason]);
      return outbox.withdrawAll(tx, keys, reason);
    },
  };
  await transaction(app.deps.db, (tx) => action({ ...app.deps, outbox: recording }, tx));
  return withdrawn;
}

const keyOf = async (id: string): Promise<string> => restKey((await findById(app.deps.db, id))!);

/** PART-4. */
describe("a mail that asks for a rest is withdrawn", () => {
  it("of the student's own requests that are asked for their rest, and of no other", async () => {
    const { buyer, id } = await shop.asked();
    await shop.asked();
    const deletion = await withdrawnBy(({ outbox }, tx) => withdrawRests({ outbox }, tx, buyer.id));
    expect(deletion).toEqual([[[await keyOf(id)], "Not sent, because the account was deleted."]]);
    const waiting = await student(app);
    await shop.payBaht(waiting);
    expect(await withdrawnBy(({ outbox }, tx) => withdrawRests({ outbox }, tx, waiting.id))).toEqual([
      [[], "Not sent, because the account was deleted."],
    ]);
  });

  it.each<[SubscriptionStatus, SubscriptionStatus, boolean]>([
    ["unpaid", "starter", false],
    ["unpaid", "advanced", true],
    ["advanced", "unpaid", true],
    ["advanced", "advanced", false],
  ])("where a tier of %s becomes %s: %s", async (before, after, isWithdrawn) => {
    const { buyer, id } = await shop.asked();
    const change = { id: buyer.id, email: buyer.email, before, after, origin: undefined };
    const withdrawn = await withdrawnBy((deps, tx) => changeTier(deps, tx, change));
    expect(withdrawn).toEqual(isWithdrawn ? [[[await keyOf(id)], "Not sent, because the student has the package."]] : []);
  });
});
