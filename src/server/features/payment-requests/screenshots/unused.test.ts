import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { deleteObjectIfUnused } from "#server/platform/storage/queries";
import { sweep } from "#server/platform/storage/sweep";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { behindTransaction } from "../../../../../tests/support/database/behind-transaction.ts";
import { pay, tinyPng, uploadScreenshot } from "../../../../../tests/support/payments.ts";
import { student } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { screenshotBucket } from "./bucket.ts";
import { findAllUnused } from "./queries.ts";

let app: TestApp;
beforeAll(async () => ({ app } = await startShop()));
afterAll(() => app?.close());
beforeEach(() => app.sql("truncate screenshot_fingerprints, duplicate_screenshots"));

it("deletes eight duplicates at once without a deadlock", async () => {
  const buyer = await student(app);
  for (let round = 0; round < 6; round += 1) {
    const ids = await Promise.all(Array.from({ length: 8 }, () => uploadScreenshot(buyer, tinyPng)));
    const removed = await Promise.all(ids.map((id) => deleteObjectIfUnused(app.deps.db, id)));
    expect(removed).toEqual(ids.map(() => true));
  }
  expect(await app.sql("select 1 from duplicate_screenshots")).toEqual([]);
});

it("stores no duplicate of a screenshot that is deleted meanwhile", async () => {
  // Of two students, since uploads of one at the same time have one name, for which the second would wait.
  const [one, other] = [await student(app), await student(app)];
  const first = await uploadScreenshot(one, tinyPng);
  const removal = { text: "delete from stored_objects where id = $1", values: [first] };
  const second = await behindTransaction(app, removal, () => uploadScreenshot(other, tinyPng));
  expect(await app.sql("select object_id from screenshot_fingerprints")).toEqual([{ object_id: second }]);
  expect(await app.sql("select 1 from duplicate_screenshots")).toEqual([]);
});

it("deletes fingerprint and duplicates with an unused screenshot", async () => {
  const { id } = (await pay(await student(app))).body;
  await uploadScreenshot(await student(app), tinyPng);
  app.clock.advance(25 * 3600);
  const { db, clock, config, objects, pictures } = app.deps;
  const locks = { ifFree: (_id: string, action: () => Promise<void>) => action() };
  await sweep({ db, clock, objects, buckets: [screenshotBucket(config, pictures)], locks });
  expect(await app.sql("select 1 from duplicate_screenshots")).toEqual([]);
  expect(await app.sql("select 1 from screenshot_fingerprints")).toHaveLength(1);
  const [kept] = await app.sql(
    "select 1 from payment_requests r join screenshot_fingerprints f on f.object_id = r.screenshot_object_id where r.id = $1",
    [id],
  );
  expect(kept).toBeDefined();
  expect(await findAllUnused(db, clock.now(), 10)).toEqual([]);
});
