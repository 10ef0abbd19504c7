import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { admin, outcome, type Person } from "../../../../tests/support/people.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => {
  app = await startApp();
  operator = await admin(app);
});
afterAll(() => app?.close());

const saved = async (): Promise<string[]> => (await operator.call("GET", "/api/rejection-reasons")).body.reasons;
const save = (reasons: unknown) => operator.call("PUT", "/api/rejection-reasons", { reasons });
const entries = () => app.sql("select details from audit_log where action = 'rejection-reasons.replace' order by id");

// DECIDE-8
it("comes with four reasons of a rejection", async () => {
  const reasons = await saved();
  expect(reasons.length).toBe(4);
  expect(reasons[0]).toContain("less than the amount due");
});

it("replaces the whole list in its order and records what it was", async () => {
  const before = await saved();
  const after = ["Wrong address.", "ยอดเงินไม่ครบ", "Wrong amount."];
  expect((await save([" Wrong address. ", "ยอดเงินไม่ครบ", "Wrong amount.", "Wrong address."])).body).toEqual({ reasons: after });
  expect(await saved()).toEqual(after);
  expect((await entries()).at(-1)).toEqual({ details: { before, after } });
  expect((await save([])).body).toEqual({ reasons: [] });
  expect(await saved()).toEqual([]);
});

it("refuses an empty reason, a long one, control characters and a twenty-first one", async () => {
  const longest = "x".repeat(500);
  expect((await save(Array.from({ length: 20 }, (_, index) => `${index}${longest.slice(2)}`))).status).toBe(200);
  const [before, recorded] = [await saved(), await entries()];
  for (const reasons of [
    [" "],
    [`${longest}x`],
    ["a\u0000b"],
    Array.from({ length: 21 }, (_, index) => `${index}`),
    "x",
    null,
  ]) {
    expect(outcome(await save(reasons)), JSON.stringify(reasons)).toEqual([400, expect.any(String)]);
  }
  expect(await saved()).toEqual(before);
  expect(await entries()).toEqual(recorded);
});

it("ends with one whole list when ten are saved at once", async () => {
  const lists = Array.from({ length: 10 }, (_, list) => [`${list}a`, `${list}b`, `${list}c`]);
  const answers = await Promise.all(lists.map((reasons) => save(reasons)));
  expect(answers.map(({ status }) => status)).toEqual(lists.map(() => 200));
  expect(lists).toContainEqual(await saved());
});
