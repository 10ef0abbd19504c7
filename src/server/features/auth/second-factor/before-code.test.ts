import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { goodPassword, signIn, student, visitor } from "../../../../../tests/support/people.ts";
import { passSecondFactor, turnOnSecondFactor } from "../../../../../tests/support/second-factor.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const refresh = (token: string | undefined) =>
  visitor(app).call("POST", "/auth/v1/token?grant_type=refresh_token", { refresh_token: token });
const withToken = (token: string) => visitor(app).call("GET", "/auth/v1/user", undefined, { authorization: `Bearer ${token}` });

/** SESSION-3. */
describe("a token from before the code", () => {
  it("renews no session once the second factor is off", async () => {
    const someone = await student(app);
    const { person, authenticator } = await turnOnSecondFactor(app, someone);
    const again = await passSecondFactor(app, person, authenticator);
    expect((await refresh(again.refreshToken)).status).toBe(200);
    expect((await again.call("DELETE", `/auth/v1/factors/${authenticator.factorId}`)).status).toBe(200);
    const next = await refresh(again.refreshToken);
    expect(next.status).toBe(200);
    expect((await refresh(person.refreshToken)).status).toBe(400);
    // As while it is on: another tab may have asked with the old token at that moment.
    expect((await refresh(next.body.refresh_token)).status).toBe(200);
    app.clock.advance(11);
    expect((await refresh(person.refreshToken)).status).toBe(400);
    expect((await refresh(again.refreshToken)).status).toBe(400);
  });

  it("is not what a clock makes that was set back since", async () => {
    app.clock.set(3600);
    const { person, authenticator } = await turnOnSecondFactor(app, await student(app));
    expect((await person.call("DELETE", `/auth/v1/factors/${authenticator.factorId}`)).status).toBe(200);
    app.clock.set(-3600);
    const renewed = await refresh(person.refreshToken);
    expect((await withToken(renewed.body.access_token)).status).toBe(200);
  });

  it("opens nothing once the second factor is off", async () => {
    const someone = await student(app);
    const { person, authenticator } = await turnOnSecondFactor(app, someone);
    const before = await signIn(app, someone.email, goodPassword);
    app.clock.advance(1);
    const passed = await passSecondFactor(app, before, authenticator);
    expect((await passed.call("DELETE", `/auth/v1/factors/${authenticator.factorId}`)).status).toBe(200);
    expect((await withToken(before.accessToken!)).body.code).toBe("session_not_found");
    const renewed = await refresh(passed.refreshToken);
    for (const token of [passed.accessToken!, renewed.body.access_token, person.accessToken!]) {
      expect((await withToken(token)).status).toBe(200);
    }
  });
});
