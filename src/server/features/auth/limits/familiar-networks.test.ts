import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { goodPassword, signIn, student } from "../../../../../tests/support/people.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

// ACCOUNT-9.
it("writes the use of a familiar network once a day", async () => {
  const someone = await student(app);
  const lastUse = async (): Promise<Date | undefined> => {
    await signIn(app, someone.email, goodPassword);
    const [row] = await app.sql<{ last: Date }>(
      "select max(last_used_at) as last from familiar_networks where account_id = $1",
      [someone.id],
    );
    return row?.last;
  };
  const first = app.clock.now();
  expect(await lastUse()).toEqual(first);
  app.clock.advance(24 * 3600 - 1);
  expect(await lastUse()).toEqual(first);
  app.clock.advance(1);
  expect(await lastUse()).toEqual(app.clock.now());
});
