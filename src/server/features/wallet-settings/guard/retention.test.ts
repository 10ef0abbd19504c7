import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { retentionSeconds } from "#server/platform/retention/periods";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { saveWallets, thiefAddress } from "../../../../../tests/support/wallet/guard.ts";
import { admin, type Person } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { guardRemovals } from "./retention.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

const removeAt = (now: Date, limit: number): Promise<number> => guardRemovals[0]!.remove(app.deps.db, now, limit);

// GUARD-3
it("deletes changes that ended long ago, a number at a time, and keeps newer ones", async () => {
  await app.sql("delete from guarded_changes");
  for (const bitcoin_price_usd of ["46000", "47000", "48000"]) await saveWallets(operator, { bitcoin_price_usd });
  const old = secondsAfter(app.clock.now(), retentionSeconds.guardedChanges);
  app.clock.advance(60);
  operator = await admin(app);
  await saveWallets(operator, { bitcoin_address: thiefAddress });
  expect(await removeAt(old, 10)).toBe(0);

  const now = secondsAfter(old, 1);
  expect(await removeAt(now, 1)).toBe(1);
  await transaction(app.deps.db, async (tx) => {
    await tx.execute(sql`select 1 from guarded_changes where id = (select min(id) from guarded_changes) for update`);
    // What another process has is left to it.
    expect(await removeAt(now, 10)).toBe(1);
  });
  expect(await removeAt(now, 10)).toBe(1);
  expect(await removeAt(now, 10)).toBe(0);
  expect(await app.sql("select fields from guarded_changes")).toMatchObject([
    { fields: { bitcoin_address: { after: thiefAddress } } },
  ]);
});
