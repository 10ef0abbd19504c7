import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { unverifiedStudent } from "../../../../tests/support/people.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { findNewestCode } from "./queries.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

it("finds the newest code whichever way the planner reads the table", async () => {
  const someone = await unverifiedStudent(app);
  for (let code = 0; code < 2; code++) {
    app.clock.advance(60);
    expect((await someone.call("POST", "/functions/v1/send-verification-email", {})).status).toBe(200);
  }
  const newest = await transaction(app.deps.db, async (tx) => {
    // The index has the order of the query; without it, rows come as they were stored.
    await tx.execute("set local enable_indexscan = off");
    return findNewestCode(tx, someone.id);
  });
  expect(newest?.created_at).toEqual(app.clock.now());
});
