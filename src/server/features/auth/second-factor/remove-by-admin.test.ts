import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { mailsTo } from "../../../../../tests/support/mails/received.ts";
import {
  admin,
  goodPassword,
  outcome,
  signIn,
  student,
  type Answer,
  type Person,
} from "../../../../../tests/support/people.ts";
import { letProofExpire, turnOnSecondFactor } from "../../../../../tests/support/second-factor.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => {
  app = await startApp();
  operator = await admin(app);
});
afterAll(() => app?.close());

const remove = (userId: string, by = operator): Promise<Answer> =>
  by.call("DELETE", `/functions/v1/admin-users/second-factor?userId=${userId}`);
const listed = async ({ id }: Person) =>
  (await operator.call("GET", "/functions/v1/admin-users?limit=100")).body.users.find((user: { id: string }) => user.id === id);

// FACTOR-6.
it("lets the admin turn off a student's second factor, and ends the sessions", async () => {
  const { person } = await turnOnSecondFactor(app, await student(app));
  const waiting = await signIn(app, person.email, goodPassword);
  expect((await listed(person)).second_factor).toBe(true);

  expect((await remove(person.id)).body).toEqual({ removed: true });

  for (const ended of [person, waiting]) expect((await ended.call("GET", "/auth/v1/user")).status).toBe(401);
  expect((await listed(person)).second_factor).toBe(false);
  expect((await (await signIn(app, person.email, goodPassword)).call("GET", "/api/me")).status).toBe(200);
  const [mail] = await mailsTo(app, person.email);
  expect(mail?.subject).toMatch(/^Two-step sign-in is off/);
  expect(mail?.text).toContain("The operator of the site turned two-step sign-in off");
  const audit = await app.sql(
    "select actor_id, subject_type, details from audit_log where action = 'user.second-factor-off' and subject_id = $1",
    [person.id],
  );
  const details = { email: person.email, before: "on", after: "off" };
  expect(audit).toEqual([{ actor_id: operator.id, subject_type: "account", details }]);
});

it("refuses to turn off the admin's second factor or one that is not there", async () => {
  expect(outcome(await remove(operator.id))).toEqual([409, "admin_account_fixed"]);
  const someone = await student(app);
  expect(outcome(await remove(someone.id))).toEqual([404, "second_factor_not_found"]);
  expect(outcome(await remove(someone.id, someone))).toEqual([403, "not_allowed"]);
});

it("refuses to turn off a student's second factor in an unproven session", async () => {
  const { person } = await turnOnSecondFactor(app, await student(app));
  await letProofExpire(app, operator);
  expect(outcome(await remove(person.id))).toEqual([403, "step_up_needed"]);
  expect((await listed(person)).second_factor).toBe(true);
});
