import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { receipt } from "../../../../../tests/support/payment-requests/draw-receipt.ts";
import { uploadScreenshot } from "../../../../../tests/support/payments.ts";
import { student } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { findAllSimilar, findFingerprint } from "./queries.ts";

let app: TestApp;
beforeAll(async () => ({ app } = await startShop()));
afterAll(() => app?.close());

// DECIDE-6
it("finds the most similar of the screenshots that share a band", async () => {
  const buyer = await student(app);
  const upload = async (quality: number) => uploadScreenshot(buyer, await receipt().jpeg({ quality }).toBuffer());
  const [own, far, near] = [await upload(60), await upload(70), await upload(80)];
  await app.sql("update screenshot_fingerprints set edges = ~edges where object_id = $1", [far]);
  // Stored anew, it stands behind the other.
  await app.sql("update screenshot_fingerprints set edges = edges where object_id = $1", [near]);
  const similar = await transaction(app.deps.db, async (tx) => {
    const { bands, edges } = (await findFingerprint(tx, own))!;
    return findAllSimilar(tx, own, { bands: bands!, edges: edges! }, 1);
  });
  expect(similar).toEqual([{ id: near, isUsed: false }]);
});
