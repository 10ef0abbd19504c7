import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { withoutIndexes } from "../../../../tests/support/database/without-indexes.ts";
import { unverifiedStudent } from "../../../../tests/support/people.ts";
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
  const newest = await withoutIndexes(app, (tx) => findNewestCode(tx, someone.id));
  expect(newest?.created_at).toEqual(app.clock.now());
});
