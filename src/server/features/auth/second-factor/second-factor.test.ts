// Over 250 lines: the life cycle of a second factor, from enrolment to removal, with shared helpers.
import { base32nopad } from "@scure/base";
import { decodeJwt } from "jose";
import jsQr from "jsqr";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { mailsTo, recoveryTokenFor } from "../../../../../tests/support/mails/received.ts";
import {
  goodPassword,
  outcome,
  signIn,
  student,
  unverifiedStudent,
  visitor,
  withSession,
  type Person,
} from "../../../../../tests/support/people.ts";
import {
  answerChallenge,
  enroll,
  letProofExpire,
  passSecondFactor,
  turnOnSecondFactor,
} from "../../../../../tests/support/second-factor.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const isSignedIn = async (someone: Person): Promise<boolean> => (await someone.call("GET", "/api/me")).status === 200;
const claimsOf = (someone: Person) => decodeJwt(someone.accessToken!);
const subjectsTo = async (someone: Person): Promise<string[]> =>
  (await mailsTo(app, someone.email)).map(({ subject }) => subject);

// FACTOR-1.
describe("enrolling a second factor", () => {
  it("returns secret, QR code and recovery codes, and stores none in plain text", async () => {
    const someone = await student(app);

    const { status, body } = await someone.call("POST", "/auth/v1/factors", { factor_type: "totp", friendly_name: "Phone" });

    expect(status).toBe(200);
    expect(body).toMatchObject({ id: expect.any(String), type: "totp", friendly_name: "Phone" });
    expect(body.totp.uri).toContain(`secret=${body.totp.secret}`);
    const { data, info } = await sharp(Buffer.from(body.totp.qr_code))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(jsQr(new Uint8ClampedArray(data), info.width, info.height)?.data).toBe(body.totp.uri);
    expect(new Set(body.recovery_codes).size).toBe(10);
    expect(body.recovery_codes[0]).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5}$/);
    const [row] = await app.sql<{ sealed_secret: Buffer }>("select sealed_secret from mfa_factors where id = $1", [body.id]);
    expect(row?.sealed_secret.includes(Buffer.from(base32nopad.decode(body.totp.secret)))).toBe(false);
    const codes = await app.sql<{ code_hash: Buffer }>("select code_hash from mfa_recovery_codes where factor_id = $1", [
      body.id,
    ]);
    expect(codes.map(({ code_hash }) => code_hash.length)).toEqual(Array.from({ length: 10 }, () => 32));
  });

  it("leaves sign-in unchanged until a code verifies the second factor", async () => {
    const someone = await student(app);
    await enroll(app, someone);
    expect(await isSignedIn(await signIn(app, someone.email, goodPassword))).toBe(true);
  });

  it("replaces an unfinished enrolment, and refuses another beside a verified one", async () => {
    const someone = await student(app);
    const first = await enroll(app, someone);
    const second = await enroll(app, someone);
    expect((await answerChallenge(someone, first.factorId, first.code())).body.code).toBe("mfa_factor_not_found");
    const passed = await passSecondFactor(app, someone, second);
    const third = await passed.call("POST", "/auth/v1/factors", { factor_type: "totp" });
    expect(outcome(third)).toEqual([422, "mfa_verified_factor_exists"]);
  });

  it("expires an unfinished enrolment after 30 minutes", async () => {
    const someone = await student(app);
    const authenticator = await enroll(app, someone);
    app.clock.advance(30 * 60 + 1);
    const again = await signIn(app, someone.email, goodPassword);
    const answer = await answerChallenge(again, authenticator.factorId, authenticator.code());
    expect(outcome(answer)).toEqual([404, "mfa_factor_not_found"]);
    expect((await again.call("GET", "/auth/v1/user")).body.factors).toEqual([]);
  });

  it("refuses enrolment to unverified accounts and in unproven sessions", async () => {
    const unverified = await unverifiedStudent(app);
    const form = { factor_type: "totp" };
    expect((await unverified.call("POST", "/auth/v1/factors", form)).body.code).toBe("email_not_confirmed");
    const someone = await student(app);
    await letProofExpire(app, someone);
    expect(outcome(await someone.call("POST", "/auth/v1/factors", form))).toEqual([403, "step_up_needed"]);
  });

  it.each([{ factor_type: "phone", phone: "+66812345678" }, { factor_type: "webauthn" }, {}])(
    "refuses another kind of factor: %j",
    async (form) => {
      expect(outcome(await (await student(app)).call("POST", "/auth/v1/factors", form))).toEqual([400, "validation_failed"]);
    },
  );
});

// FACTOR-2.
describe("the first right code", () => {
  it("turns the factor on, ends the other sessions and notifies the owner", async () => {
    const someone = await student(app);
    const elsewhere = await signIn(app, someone.email, goodPassword);
    expect(claimsOf(someone)).toMatchObject({ aal: "aal1", amr: [{ method: "password" }] });

    const { person } = await turnOnSecondFactor(app, someone);

    expect(claimsOf(person)).toMatchObject({ aal: "aal2", amr: [{ method: "totp" }, { method: "password" }] });
    expect(claimsOf(person)["session_id"]).toBe(claimsOf(someone)["session_id"]);
    const { factors } = (await person.call("GET", "/auth/v1/user")).body;
    expect(factors).toMatchObject([{ factor_type: "totp", status: "verified", recovery_codes_left: 10 }]);
    expect((await person.call("GET", "/api/me")).body.second_factor).toBe(true);
    expect((await elsewhere.call("GET", "/api/me")).status).toBe(401);
    expect((await subjectsTo(someone))[0]).toMatch(/^Two-step sign-in is on/);
    const audit = await app.sql("select 1 from audit_log where action = 'account.second-factor-on' and subject_id = $1", [
      someone.id,
    ]);
    expect(audit).toHaveLength(1);
  });

  it("refuses a recovery code as the first code", async () => {
    const someone = await student(app);
    const { factorId, recoveryCodes } = await enroll(app, someone);
    expect((await answerChallenge(someone, factorId, recoveryCodes[0]!)).body.code).toBe("mfa_verification_failed");
  });

  it("refuses tokens issued before the first code", async () => {
    const someone = await student(app);
    const { person } = await turnOnSecondFactor(app, someone);
    expect((await someone.call("GET", "/api/me")).body.code).toBe("second_factor_needed");
    const refresh = (token: string | undefined) =>
      visitor(app).call("POST", "/auth/v1/token?grant_type=refresh_token", { refresh_token: token });
    const renewed = await refresh(person.refreshToken);
    expect(decodeJwt(renewed.body.access_token)).toMatchObject({ aal: "aal2" });
    expect((await refresh(someone.refreshToken)).status).toBe(400);
    expect(await isSignedIn(person)).toBe(false);
  });
});

// FACTOR-2, FACTOR-3.
describe("signing in with a second factor", () => {
  it("refuses refresh tokens from before the code at once, used or not", async () => {
    const someone = await student(app);
    const { authenticator } = await turnOnSecondFactor(app, someone);
    const refresh = (token: string | undefined) =>
      visitor(app).call("POST", "/auth/v1/token?grant_type=refresh_token", { refresh_token: token });
    const here = await signIn(app, someone.email, goodPassword);
    const renewed = (await refresh(here.refreshToken)).body.refresh_token;
    const passed = await passSecondFactor(app, here, authenticator);
    for (const token of [here.refreshToken, renewed]) expect((await refresh(token)).status).toBe(400);
    for (let use = 0; use < 2; use++) {
      const later = await refresh(passed.refreshToken);
      expect(decodeJwt(later.body.access_token)).toMatchObject({ aal: "aal2" });
    }
  });

  it("leaves the refresh tokens of others valid when somebody passes the code", async () => {
    const [someone, other] = [await student(app), await student(app)];
    const { authenticator } = await turnOnSecondFactor(app, someone);
    await passSecondFactor(app, await signIn(app, someone.email, goodPassword), authenticator);
    const [token] = await app.sql<{ used_at: Date | null }>(
      "select used_at from refresh_tokens where session_id in (select id from sessions where account_id = $1)",
      [other.id],
    );
    expect(token).toEqual({ used_at: null });
  });

  it("signs out nobody but itself before the code, whatever the scope", async () => {
    const someone = await student(app);
    const { person } = await turnOnSecondFactor(app, someone);
    for (const scope of ["global", "others"]) {
      const here = await signIn(app, someone.email, goodPassword);
      expect((await here.call("POST", `/auth/v1/logout?scope=${scope}`)).status).toBe(204);
      expect((await here.call("GET", "/auth/v1/user")).status).toBe(401);
    }
    expect(await isSignedIn(person)).toBe(true);
    const other = await student(app);
    const elsewhere = await signIn(app, other.email, goodPassword);
    expect((await other.call("POST", "/auth/v1/logout?scope=global")).status).toBe(204);
    expect(await isSignedIn(elsewhere)).toBe(false);
  });

  it("refuses every call before the code and allows it afterwards", async () => {
    const someone = await student(app);
    const { authenticator } = await turnOnSecondFactor(app, someone);
    const here = await signIn(app, someone.email, goodPassword);
    expect(outcome(await here.call("GET", "/api/videos"))).toEqual([403, "second_factor_needed"]);
    const change = await here.call("PUT", "/auth/v1/user", { data: { full_name: "Thief" } });
    expect(outcome(change)).toEqual([403, "insufficient_aal"]);
    expect((await here.call("GET", "/auth/v1/user")).status).toBe(200);

    const passed = await passSecondFactor(app, here, authenticator);

    expect((await passed.call("GET", "/api/videos")).status).toBe(200);
    expect((await here.call("GET", "/api/videos")).status).toBe(403);
    expect((await here.call("POST", "/auth/v1/logout?scope=local")).status).toBe(204);
  });

  it("asks for the second factor after a recovery link", async () => {
    const someone = await student(app);
    await turnOnSecondFactor(app, someone);
    await visitor(app).call("POST", "/auth/v1/recover", { email: someone.email });
    const token_hash = await recoveryTokenFor(app, someone.email);
    const opened = await visitor(app).call("POST", "/auth/v1/verify", { type: "recovery", token_hash });
    const session = withSession(app, someone, opened.body);
    expect(claimsOf(session)).toMatchObject({ aal: "aal1", amr: [{ method: "otp" }] });
    const answer = await session.call("PUT", "/auth/v1/user", { password: "a password of a thief" });
    expect(answer.body.code).toBe("insufficient_aal");
  });

  it("accepts a code once, also when several sessions send it at once", async () => {
    const someone = await student(app);
    const { authenticator } = await turnOnSecondFactor(app, someone);
    const sessions = await Promise.all([1, 2, 3].map(() => signIn(app, someone.email, goodPassword)));
    const code = authenticator.code();
    const answers = await Promise.all(sessions.map((session) => answerChallenge(session, authenticator.factorId, code)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422]);
    // Nor an earlier one, once a later one was accepted.
    const earlier = await answerChallenge(sessions[2]!, authenticator.factorId, authenticator.code(-1));
    expect(earlier.body.code).toBe("mfa_verification_failed");
    app.clock.advance(30);
    expect((await answerChallenge(sessions[2]!, authenticator.factorId, authenticator.code())).status).toBe(200);
  });

  it("ends a challenge after five tries and after five minutes", async () => {
    const someone = await student(app);
    const { authenticator } = await turnOnSecondFactor(app, someone);
    const here = await signIn(app, someone.email, goodPassword);
    const path = `/auth/v1/factors/${authenticator.factorId}`;
    const challenge_id = (await here.call("POST", `${path}/challenge`)).body.id;
    const guess = (code: string) => here.call("POST", `${path}/verify`, { challenge_id, code });
    for (let tries = 0; tries < 5; tries++) expect((await guess("wrong")).body.code).toBe("mfa_verification_failed");
    expect((await guess(authenticator.code())).body.code).toBe("mfa_challenge_expired");

    const late = await here.call("POST", `${path}/challenge`);
    expect(late.body).toMatchObject({ type: "totp", expires_at: expect.any(Number) });
    app.clock.advance(5 * 60 + 1);
    const answer = await here.call("POST", `${path}/verify`, { challenge_id: late.body.id, code: authenticator.code() });
    expect(answer.body.code).toBe("mfa_challenge_expired");
  });

  it("binds factors to their account and challenges to their session", async () => {
    const someone = await student(app);
    const { authenticator } = await turnOnSecondFactor(app, someone);
    const path = `/auth/v1/factors/${authenticator.factorId}`;
    const stranger = await student(app);
    expect((await stranger.call("POST", `${path}/challenge`)).body.code).toBe("mfa_factor_not_found");
    expect((await stranger.call("DELETE", path)).body.code).toBe("mfa_factor_not_found");
    const [here, there] = [await signIn(app, someone.email, goodPassword), await signIn(app, someone.email, goodPassword)];
    const challenge_id = (await here.call("POST", `${path}/challenge`)).body.id;
    const answer = await there.call("POST", `${path}/verify`, { challenge_id, code: authenticator.code() });
    expect(answer.body.code).toBe("mfa_challenge_expired");
  });
});

// FACTOR-4.
describe("a recovery code", () => {
  it("accepts a recovery code once, in any spelling, and notifies the owner", async () => {
    const someone = await student(app);
    const { authenticator } = await turnOnSecondFactor(app, someone);
    const [code = ""] = authenticator.recoveryCodes;
    const here = await signIn(app, someone.email, goodPassword);
    const passed = await passSecondFactor(app, here, authenticator, ` ${code.toUpperCase().replace("-", " ")}`);
    expect(claimsOf(passed)).toMatchObject({ aal: "aal2", amr: [{ method: "recovery_code" }, { method: "password" }] });
    expect((await passed.call("GET", "/auth/v1/user")).body.factors[0].recovery_codes_left).toBe(9);
    const [mail] = await mailsTo(app, someone.email);
    expect(mail?.subject).toMatch(/^A recovery code of your .+ account was used$/);
    expect(mail?.text).toContain("9 recovery codes are left.");
    expect(mail?.text).not.toContain(code);

    const again = await answerChallenge(await signIn(app, someone.email, goodPassword), authenticator.factorId, code);
    expect(again.body.code).toBe("mfa_verification_failed");
  });

  it("refuses a recovery code of another account", async () => {
    const [one, other] = [await student(app), await student(app)];
    const { authenticator } = await turnOnSecondFactor(app, one);
    const { authenticator: others } = await turnOnSecondFactor(app, other);
    const here = await signIn(app, other.email, goodPassword);
    const answer = await answerChallenge(here, others.factorId, authenticator.recoveryCodes[0]!);
    expect(answer.body.code).toBe("mfa_verification_failed");
  });
});

// FACTOR-5.
describe("turning the second factor off", () => {
  it("requires a session that passed the factor, and a step-up, to turn it off", async () => {
    const someone = await student(app);
    const { person, authenticator } = await turnOnSecondFactor(app, someone);
    const path = `/auth/v1/factors/${authenticator.factorId}`;
    const here = await signIn(app, someone.email, goodPassword);
    expect(outcome(await here.call("DELETE", path))).toEqual([403, "insufficient_aal"]);
    await letProofExpire(app, someone);
    expect(outcome(await person.call("DELETE", path))).toEqual([403, "step_up_needed"]);
    expect((await person.call("GET", "/auth/v1/user")).body.factors).toHaveLength(1);

    expect((await person.call("POST", "/api/step-up", { totp: authenticator.code() })).status).toBe(200);
    const removed = await person.call("DELETE", path);

    expect(removed.body).toEqual({ id: authenticator.factorId });
    expect((await subjectsTo(someone))[0]).toMatch(/^Two-step sign-in is off/);
    expect(await isSignedIn(await signIn(app, someone.email, goodPassword))).toBe(true);
    expect(await app.sql("select 1 from mfa_recovery_codes where factor_id = $1", [authenticator.factorId])).toEqual([]);
  });

  it("ends sessions that wait for the code when the factor is turned off", async () => {
    const someone = await student(app);
    const { person, authenticator } = await turnOnSecondFactor(app, someone);
    const waiting = await signIn(app, someone.email, goodPassword);
    expect((await person.call("DELETE", `/auth/v1/factors/${authenticator.factorId}`)).status).toBe(200);
    expect((await waiting.call("GET", "/auth/v1/user")).status).toBe(401);
    expect((await person.call("GET", "/auth/v1/user")).status).toBe(200);
  });

  it("refuses a token with the second factor once its session is without it", async () => {
    const { person } = await turnOnSecondFactor(app, await student(app));
    await app.sql("update sessions set second_factor_by = null where account_id = $1", [person.id]);
    expect((await person.call("GET", "/api/me")).body.code).toBe("second_factor_needed");
  });

  it("does not accept a former factor's session for a later factor", async () => {
    const someone = await student(app);
    const first = await turnOnSecondFactor(app, someone);
    await first.person.call("DELETE", `/auth/v1/factors/${first.authenticator.factorId}`);
    const there = await signIn(app, someone.email, goodPassword);
    const second = await turnOnSecondFactor(app, there);
    expect(await isSignedIn(second.person)).toBe(true);
    expect(await isSignedIn(first.person)).toBe(false);
  });
});

it("limits unfamiliar networks together, and not the owner's own network", async () => {
  const limited = await startApp({ environment: { RATE_LIMITS: "on", TRUST_PROXY: "loopback" } });
  try {
    const someone = await student(limited);
    const { authenticator } = await turnOnSecondFactor(limited, someone);
    const thief = await signIn(limited, someone.email, goodPassword);
    const guess = (network: number, code: string) =>
      thief.call(
        "POST",
        `/auth/v1/factors/${authenticator.factorId}/verify`,
        { challenge_id: authenticator.factorId, code },
        { "x-forwarded-for": `203.0.${network}.7` },
      );
    const answers = [];
    for (let network = 0; network < 25; network++) answers.push(await guess(network, "000000"));
    const refused = answers.filter(({ status }) => status === 429);
    // One of the twenty turned the factor on.
    expect(refused).toHaveLength(6);
    expect(refused[0]?.body.code).toBe("over_request_rate_limit");
    const here = await signIn(limited, someone.email, goodPassword);
    expect((await answerChallenge(here, authenticator.factorId, authenticator.code())).status).toBe(200);
  } finally {
    await limited.close();
  }
});

// FACTOR-3.
it("compares 50 codes a day from the owner's network, then one in ten minutes", async () => {
  const limited = await startApp({ environment: { RATE_LIMITS: "on" } });
  try {
    const someone = await student(limited);
    const { person } = await turnOnSecondFactor(limited, someone);
    const compared = [];
    for (let round = 0; round < 8; round++) {
      const answers = [];
      for (let count = 0; count < 11; count++) answers.push(await person.call("POST", "/api/step-up", { totp: "a guess" }));
      compared.push(answers.filter(({ status }) => status === 422).length);
      // The counters follow the wall clock.
      await limited.sql("update rate_limits set expire = expire - 601000");
    }
    expect(compared).toEqual([10, 10, 10, 10, 10, 5, 1, 1]);
  } finally {
    await limited.close();
  }
});
