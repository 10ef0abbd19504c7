import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { bip84Addresses, bip84Key } from "../../../../tests/support/domain/bitcoin-keys.ts";
import { student } from "../../../../tests/support/people.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { giveBitcoinAddress } from "./give.ts";

let app: TestApp;
beforeAll(async () => void (app = await startApp()));
afterAll(() => app?.close());

// QUOTE-7, RUN-3
it("leaves a transaction that it is a part of synced to disk", async () => {
  const { id: userId } = await student(app);
  const now = app.clock.now();
  const holder = { userId, packageType: "starter", now, until: now, endedBefore: now, replaced: undefined } as const;
  const given = await transaction(app.deps.db, async (tx) => {
    // The cluster of the tests syncs nothing.
    await tx.$client.query("set local synchronous_commit = 'on'");
    const address = await giveBitcoinAddress(tx, bip84Key, holder);
    const { rows } = await tx.$client.query("select current_setting('synchronous_commit') as setting");
    return [address, rows[0].setting];
  });
  expect(given).toEqual([bip84Addresses[0], "on"]);
});
