import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { receipt } from "../../../../../tests/support/payment-requests/draw-receipt.ts";
import { pay, uploadScreenshot } from "../../../../../tests/support/payments.ts";
import { student } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { findAllSimilar, findFingerprint } from "./queries.ts";

let app: TestApp;
beforeAll(async () => ({ app } = await startShop()));
afterAll(() => app?.close());

// DECIDE-6
it("finds the most similar screenshots that share a band, first those of requests", async () => {
  let quality = 60;
  const picture = (): Promise<Buffer> => receipt().jpeg({ quality: quality++ }).toBuffer();
  const upload = async (): Promise<string> => uploadScreenshot(await student(app), await picture());
  async function submit(): Promise<string> {
    app.clock.advance(1);
    const { body } = await pay(await student(app), { screenshot: await picture() });
    const [row] = await app.sql<any>("select screenshot_object_id as id from payment_requests where id = $1", [body.id]);
    return row.id;
  }
  const [own, unused, older, newer] = [await upload(), await upload(), await submit(), await submit()];
  const [opposite, other] = [await submit(), await upload()];
  await app.sql("update screenshot_fingerprints set edges = ~edges where object_id = $1", [opposite]);
  await app.sql("update screenshot_fingerprints set bands = '{}' where object_id = $1", [other]);
  const similar = (limit: number): Promise<{ id: string; isUsed: boolean }[]> =>
    transaction(app.deps.db, async (tx) => {
      const { bands, edges } = (await findFingerprint(tx, own))!;
      return findAllSimilar(tx, own, { bands: bands!, edges: edges! }, limit);
    });
  const isUsed = true;
  const nearest = [
    { id: newer, isUsed },
    { id: older, isUsed },
    { id: unused, isUsed: false },
  ];
  expect(await similar(9)).toEqual([...nearest, { id: opposite, isUsed }]);
  expect(await similar(3)).toEqual(nearest);
});
