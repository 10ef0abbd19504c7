import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { mailsTo, recoveryTokenFor } from "../../../../../tests/support/mails/received.ts";
import {
  admin,
  goodPassword,
  signIn,
  student,
  visitor,
  withSession,
  type Person,
} from "../../../../../tests/support/people.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Opens a recovery link. */
async function recovered(someone: Person, on = app): Promise<Person> {
  await visitor(on).call("POST", "/auth/v1/recover", { email: someone.email });
  const token_hash = await recoveryTokenFor(on, someone.email);
  const { body } = await visitor(on).call("POST", "/auth/v1/verify", { type: "recovery", token_hash });
  return withSession(on, someone, body);
}

/** Lets time pass and renews the session. */
async function later(someone: Person, seconds: number): Promise<Person> {
  app.clock.advance(seconds);
  const renewal = { refresh_token: someone.refreshToken };
  const { body } = await visitor(app).call("POST", "/auth/v1/token?grant_type=refresh_token", renewal);
  return withSession(app, someone, body);
}

// JOURNEY-1
it.each([
  ["/payment?package=advanced", "\\?next=%2Fpayment%3Fpackage%3Dadvanced"],
  ["https://evil.example/", ""],
  ["//evil.example", ""],
  ["/student\r\nBcc: x@evil.example", ""],
])("a recovery link leads on to %j only where it is a page of this site", async (wanted, end) => {
  const someone = await student(app);
  const path = `/auth/v1/recover?redirect_to=${encodeURIComponent(wanted)}`;
  expect((await visitor(app).call("POST", path, { email: someone.email })).status).toBe(200);
  const [mail] = await mailsTo(app, someone.email);
  expect(mail?.text).toMatch(new RegExp(`^${app.url}/auth${end}#recovery=[\\w-]+$`, "m"));
  expect(mail?.text).not.toContain("evil");
});

// ACCOUNT-5.
it("leaves an earlier recovery link valid when another one is mailed", async () => {
  const someone = await student(app);
  const request = () => visitor(app).call("POST", "/auth/v1/recover", { email: someone.email });
  await request();
  const token_hash = await recoveryTokenFor(app, someone.email);
  await request();
  expect((await visitor(app).call("POST", "/auth/v1/verify", { type: "recovery", token_hash })).status).toBe(200);
});

// STEPUP-2.
it("a new password uses up the recovery of its own session alone", async () => {
  const [one, other] = [await recovered(await student(app)), await recovered(await student(app))];
  app.clock.advance(599);
  const [first, second] = ["an even finer password", `${goodPassword} again`];
  expect((await one.call("PUT", "/auth/v1/user", { password: first })).status).toBe(200);
  const sessionsOf = ({ id }: Person) =>
    app.sql<{ by_recovery: boolean }>("select by_recovery from sessions where account_id = $1 and revoked_at is null", [id]);
  expect(await sessionsOf(one)).toEqual([{ by_recovery: false }]);
  expect(await sessionsOf(other)).toContainEqual({ by_recovery: true });
  expect((await other.call("PUT", "/auth/v1/user", { password: second })).status).toBe(200);
});

// ACCOUNT-6, STEPUP-2.
it.each([
  ["student", "step_up_needed"],
  ["admin", "password_confirmation_wrong"],
] as const)("a session of a recovery link sets the password of a %s for an hour alone", async (role, code) => {
  const opened = await recovered(await (role === "admin" ? admin(app) : student(app)));
  const late = await later(opened, 3600);
  const change = (person: Person) => person.call("PUT", "/auth/v1/user", { password: "an even finer password" });
  app.clock.advance(0.001);
  expect((await change(late)).body.code).toBe(code);
  app.clock.advance(-0.001);
  expect((await change(late)).status).toBe(200);
});

// ACCOUNT-9.
it("a new password after a recovery link does not wait for tries of other sessions", async () => {
  const site = await startApp({ beside: app, environment: { RATE_LIMITS: "on" } });
  const owner = await student(site);
  const stolen = await signIn(site, owner.email, owner.password);
  const stepUp = (guess: number) => stolen.call("POST", "/api/step-up", { current_password: `guess ${guess}` });
  const rename = (count: number) => stolen.call("PUT", "/auth/v1/user", { data: { full_name: `Name ${count}` } });
  for (let count = 0; count < 10; count += 1) await stepUp(count);
  for (let count = 0; count < 30; count += 1) await rename(count);
  expect([(await stepUp(10)).status, (await rename(30)).status]).toEqual([429, 429]);

  const opened = await recovered(owner, site);
  const change = (body: object) => opened.call("PUT", "/auth/v1/user", { password: "an even finer password", ...body });
  expect((await change({ current_password: "a guess" })).status).toBe(429);
  expect((await change({})).status).toBe(200);
  await site.close();
});
