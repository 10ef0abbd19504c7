import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { mailsTo, recoveryTokenFor } from "../../../../../tests/support/mails.ts";
import { goodPassword, student, visitor, withSession, type Person } from "../../../../../tests/support/people.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

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
  const recovered = async (): Promise<Person> => {
    const someone = await student(app);
    await visitor(app).call("POST", "/auth/v1/recover", { email: someone.email });
    const token_hash = await recoveryTokenFor(app, someone.email);
    const { body } = await visitor(app).call("POST", "/auth/v1/verify", { type: "recovery", token_hash });
    return withSession(app, someone, body);
  };
  const [one, other] = [await recovered(), await recovered()];
  app.clock.advance(599);
  const [first, second] = ["an even finer password", `${goodPassword} again`];
  expect((await one.call("PUT", "/auth/v1/user", { password: first })).status).toBe(200);
  const sessionsOf = ({ id }: Person) =>
    app.sql<{ by_recovery: boolean }>("select by_recovery from sessions where account_id = $1 and revoked_at is null", [id]);
  expect(await sessionsOf(one)).toEqual([{ by_recovery: false }]);
  expect(await sessionsOf(other)).toContainEqual({ by_recovery: true });
  expect((await other.call("PUT", "/auth/v1/user", { password: second })).status).toBe(200);
});
