import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { TestApp } from "../../../../tests/support/app.ts";
import { withoutIndexes } from "../../../../tests/support/database/without-indexes.ts";
import { pay } from "../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";
import { secondsAfter } from "../../platform/clock.ts";
import { findAllByPayer, findApprovalDurations, findById, findOldestPending, markApprovalSeen } from "./queries.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
beforeEach(() => app.sql("truncate payment_requests cascade"));
afterAll(() => app?.close());

const submit = async (buyer?: Person): Promise<string> => (await pay(buyer ?? (await student(app)))).body.id;
const makeOlder = (id: string, seconds: number) =>
  app.sql("update payment_requests set created_at = created_at - make_interval(secs => $2) where id = $1", [id, seconds]);

it("finds the time of the oldest pending request", async () => {
  expect(await findOldestPending(app.deps.db)).toBeNull();
  const [, oldest, approved] = [await submit(), await submit(), await submit()];
  await operator.call("POST", `/api/payment-requests/${approved}/approve`);
  await makeOlder(oldest, 60);
  await makeOlder(approved, 120);
  const found = await withoutIndexes(app, findOldestPending);
  expect(found).toEqual(secondsAfter(app.clock.now(), -60));
});

// JOURNEY-4
it("marks no request as seen that is not approved any more", async () => {
  const id = await submit();
  await markApprovalSeen(app.deps.db, id, app.clock.now());
  expect((await findById(app.deps.db, id))?.approval_seen_at).toBeNull();
});

it("counts the newest approvals since a time alone, whenever they were submitted", async () => {
  for (const [decidedAgo, took] of [
    [300, 10],
    [200, 900],
    [100, 500],
  ]) {
    const id = await submit();
    await operator.call("POST", `/api/payment-requests/${id}/approve`);
    await app.sql("update payment_requests set decided_at = decided_at - make_interval(secs => $2) where id = $1", [
      id,
      decidedAgo,
    ]);
    await makeOlder(id, decidedAgo! + took!);
  }
  const durations = (sinceSeconds: number, limit: number) =>
    findApprovalDurations(app.deps.db, secondsAfter(app.clock.now(), -sinceSeconds), limit);
  expect(await durations(300, 1)).toEqual({ count: 1, median: 500 });
  expect(await durations(200, 9)).toEqual({ count: 2, median: 700 });
});

it("returns a student's newest requests, as many as wanted", async () => {
  const buyer = await student(app);
  const older = await submit(buyer);
  await operator.call("POST", `/api/payment-requests/${older}/reject`, { reason: "No." });
  await makeOlder(older, 60);
  const newer = await submit(buyer);
  const idsOf = async (before: string | undefined, limit: number): Promise<string[]> =>
    (await findAllByPayer(app.deps.db, buyer.id, before, limit)).map(({ id }) => id);
  expect(await idsOf(undefined, 1)).toEqual([newer]);
  expect(await idsOf(newer, 9)).toEqual([older]);
  await makeOlder(newer, 60);
  // Of the same moment they have an order all the same, so that no page leaves one out.
  expect(await idsOf(undefined, 9)).toEqual([older, newer].toSorted().toReversed());
});
