import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { receipt } from "../../../../../tests/support/payment-requests/draw-receipt.ts";
import { pay, uploadScreenshot } from "../../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { findAllSimilar, findFingerprint } from "./queries.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
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
  const similar = (limit: number): Promise<string[]> =>
    transaction(app.deps.db, async (tx) => {
      const { bands, edges } = (await findFingerprint(tx, own))!;
      return (await findAllSimilar(tx, own, { bands: bands!, edges: edges! }, limit)).map(({ id }) => id);
    });
  expect(await similar(9)).toEqual([older, newer, unused, opposite]);
  expect(await similar(3)).toEqual([older, newer, unused]);
  const [request] = await app.sql<any>("select id from payment_requests where screenshot_object_id = $1", [newer]);
  await operator.call("POST", `/api/payment-requests/${request.id}/approve`);
  expect(await similar(2)).toEqual([newer, older]);
});
