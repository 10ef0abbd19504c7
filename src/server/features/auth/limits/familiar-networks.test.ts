import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { goodPassword, signIn, student, unverifiedStudent } from "../../../../../tests/support/people.ts";

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

const networksOf = ({ id }: { id: string }): Promise<unknown[]> =>
  app.sql("select 1 from familiar_networks where account_id = $1", [id]);

it("remembers a network although an unfinished sign-up of the address has used it", async () => {
  const someone = await student(app);
  await app.sql("delete from familiar_networks where account_id = $1", [someone.id]);
  await unverifiedStudent(app, someone.email);
  await signIn(app, someone.email, goodPassword);
  expect(await networksOf(someone)).toHaveLength(1);
});

it("forgets the networks of an account whose password changes, and no others", async () => {
  const [someone, other] = [await student(app), await student(app)];
  await app.sql("update familiar_networks set network_hash = sha256('elsewhere') where account_id = any($1)", [
    [someone.id, other.id],
  ]);
  const change = { password: "another fine long password", current_password: goodPassword };
  expect((await someone.call("PUT", "/auth/v1/user", change)).status).toBe(200);
  const elsewhere = await app.sql("select account_id from familiar_networks where network_hash = sha256('elsewhere')");
  expect(elsewhere).toEqual([{ account_id: other.id }]);
  expect(await networksOf(someone)).toHaveLength(1);
});
