import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { mailsTo } from "../../../../../tests/support/mails/received.ts";
import {
  goodPassword,
  outcome,
  signIn,
  student,
  visitor,
  type Answer,
  type Person,
} from "../../../../../tests/support/people.ts";
import { enroll, turnOnSecondFactor, type Authenticator } from "../../../../../tests/support/second-factor.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

let someone: Person;
beforeEach(async () => {
  someone = await student(app);
});

const factorsOf = async (person: Person) => (await person.call("GET", "/auth/v1/user")).body.factors;

// FACTOR-3.
describe("a challenge", () => {
  let authenticator: Authenticator;
  let here: Person;
  beforeEach(async () => {
    ({ authenticator } = await turnOnSecondFactor(app, someone));
    here = await signIn(app, someone.email, goodPassword);
  });

  const challenge = async (): Promise<string> =>
    (await here.call("POST", `/auth/v1/factors/${authenticator.factorId}/challenge`)).body.id;
  const verify = (challenge_id: string, by = here): Promise<Answer> =>
    by.call("POST", `/auth/v1/factors/${authenticator.factorId}/verify`, { challenge_id, code: authenticator.code() });
  const expired = [422, "mfa_challenge_expired"];

  it("ends with the next one, and is good for one right code", async () => {
    const [earlier, newest] = [await challenge(), await challenge()];
    expect(outcome(await verify(earlier))).toEqual(expired);
    expect((await verify(newest)).status).toBe(200);
    app.clock.advance(30);
    expect(outcome(await verify(newest))).toEqual(expired);
  });

  it("is of one factor, which is of one account", async () => {
    const id = await challenge();
    const other = await student(app);
    expect(outcome(await verify(id, other))).toEqual([404, "mfa_factor_not_found"]);
    const { factorId } = await enroll(app, other);
    await app.sql("update mfa_challenges set factor_id = $2 where id = $1", [id, factorId]);
    expect(outcome(await verify(id))).toEqual(expired);
  });

  it("is made for a factor that was enrolled long ago", async () => {
    app.clock.advance(31 * 60);
    here = await signIn(app, someone.email, goodPassword);
    expect(await factorsOf(here)).toMatchObject([{ id: authenticator.factorId, status: "verified" }]);
    expect((await verify(await challenge())).status).toBe(200);
  });
});

// FACTOR-1.
describe("an unfinished enrolment", () => {
  it("has the name that the app lists, by default the site's", async () => {
    const begin = async (issuer?: string) =>
      (await someone.call("POST", "/auth/v1/factors", { factor_type: "totp", issuer })).body;
    const { name } = app.deps.config.site;
    const usual = await begin();
    expect(usual.friendly_name).toBe("");
    for (const [{ totp }, issuer] of [
      [usual, name],
      [await begin(""), name],
      [await begin("Course"), "Course"],
    ] as const) {
      const { pathname, searchParams } = new URL(totp.uri);
      expect(decodeURIComponent(pathname)).toContain(`${issuer}:${someone.email}`);
      expect(searchParams.get("issuer")).toBe(issuer);
    }
  });

  it("is listed, and removed without a proof or a mail", async () => {
    const { factorId } = await enroll(app, someone);
    expect(await factorsOf(someone)).toMatchObject([{ id: factorId, status: "unverified" }]);
    expect((await someone.call("DELETE", `/auth/v1/factors/${factorId}`)).status).toBe(200);
    expect(await factorsOf(someone)).toEqual([]);
    expect(await mailsTo(app, someone.email)).toEqual([]);
  });
});

// FACTOR-5.
describe("a second factor that was turned off", () => {
  it("leaves its sessions without it, and those that ended as they are", async () => {
    const { person, authenticator } = await turnOnSecondFactor(app, someone);
    const left = await signIn(app, someone.email, goodPassword);
    expect((await left.call("POST", "/auth/v1/logout?scope=local")).status).toBe(204);
    const ended = () =>
      app.sql("select revoked_at from sessions where account_id = $1 and revoked_at is not null", [someone.id]);
    const before = await ended();
    app.clock.advance(5);
    expect((await person.call("DELETE", `/auth/v1/factors/${authenticator.factorId}`)).status).toBe(200);
    expect(before).toHaveLength(1);
    expect(await ended()).toEqual(before);
    const form = { refresh_token: person.refreshToken };
    const { body } = await visitor(app).call("POST", "/auth/v1/token?grant_type=refresh_token", form);
    expect(decodeJwt(body.access_token)).toMatchObject({ aal: "aal1" });
  });
});
