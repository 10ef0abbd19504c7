import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { withoutIndexes } from "../../../../tests/support/database/without-indexes.ts";
import { codeFor } from "../../../../tests/support/mails/received.ts";
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

// VERIFY-3, VERIFY-7
it("takes the code sent last as the newest, also after the clock was set back", async () => {
  const someone = await unverifiedStudent(app);
  const send = () => someone.call("POST", "/functions/v1/send-verification-email", {});
  expect((await send()).status).toBe(200);
  app.clock.set(-3600);
  app.clock.advance(60);
  expect((await send()).status).toBe(200);
  expect((await findNewestCode(app.deps.db, someone.id))?.created_at).toEqual(app.clock.now());
  expect((await send()).status).toBe(429);
});

// VERIFY-2, VERIFY-7
it.each([
  [300, 200, 5],
  [301, 400, 0],
])("replies to a code of a clock that was %i seconds ahead with %i", async (seconds, status, tries_left) => {
  const someone = await unverifiedStudent(app);
  app.clock.set(seconds);
  await someone.call("POST", "/functions/v1/send-verification-email", {});
  app.clock.set(-seconds);
  expect((await someone.call("GET", "/api/me")).body.verification).toMatchObject({ tries_left });
  const verified = await someone.call("POST", "/functions/v1/verify-email", { code: await codeFor(app, someone.email) });
  expect(verified.status).toBe(status);
});
