// Over 250 lines: a recovery from the mail to the new password, on one site.
import { createHash } from "node:crypto";
import { request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { adminEmail, adminPassword, startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { behindTransaction } from "../../../../../tests/support/database/behind-transaction.ts";
import { mailsTo, recoveryTokenFor } from "../../../../../tests/support/mails/received.ts";
import {
  admin,
  goodPassword,
  outcome,
  signIn,
  student,
  unverifiedStudent,
  visitor,
} from "../../../../../tests/support/people.ts";
import { letProofExpire } from "../../../../../tests/support/second-factor.ts";

vi.mock("node:timers/promises", async (load) => {
  const timers = await load<typeof import("node:timers/promises")>();
  return { ...timers, setTimeout: vi.fn<typeof timers.setTimeout>(timers.setTimeout) };
});

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const newPassword = "an even finer password";
const recover = (email: string, on = app) => visitor(on).call("POST", "/auth/v1/recover", { email });
const redeem = (token: string) => visitor(app).call("POST", "/auth/v1/verify", { type: "recovery", token_hash: token });
const asBearer = (answer: { body: { access_token: string } }) => ({ authorization: `Bearer ${answer.body.access_token}` });
const setPassword = (headers: Record<string, string>, body: object) => visitor(app).call("PUT", "/auth/v1/user", body, headers);
const canSignIn = async (email: string, password: string): Promise<boolean> =>
  (await visitor(app).call("POST", "/auth/v1/token?grant_type=password", { email, password })).status === 200;

const passwordAudit = (accountId: string) =>
  app.sql("select subject_type, details from audit_log where action = 'account.password-change' and subject_id = $1", [
    accountId,
  ]);

/** As an attacker or a proxy would send it: fetch does not let a caller choose the Host header. */
function recoverWithHost(email: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${app.url}/auth/v1/recover`,
      { method: "POST", headers: { host, "content-type": "application/json" } },
      (reply) => {
        reply.resume();
        reply.on("end", () => resolve(reply.statusCode));
      },
    );
    sent.on("error", reject);
    sent.end(JSON.stringify({ email }));
  });
}

describe("a forgotten password", () => {
  it("replaces a forgotten password by a mailed link and ends all other sessions", async () => {
    const someone = await student(app);
    expect(await recover(someone.email)).toMatchObject({ status: 200, body: {} });
    const [mail] = await mailsTo(app, someone.email);
    expect(mail?.subject).toBe("Reset your Pipwright password");
    expect(mail?.text).toContain(`${app.url}/auth#recovery=`);

    const opened = await redeem(await recoveryTokenFor(app, someone.email));
    expect(opened.status).toBe(200);
    expect(opened.body.user.id).toBe(someone.id);
    const changed = await setPassword(asBearer(opened), { password: newPassword });
    expect(changed).toMatchObject({ status: 200, body: { id: someone.id } });

    expect((await someone.call("GET", "/api/me")).status).toBe(401);
    expect((await visitor(app).call("GET", "/api/me", undefined, asBearer(opened))).status).toBe(200);
    expect(await canSignIn(someone.email, goodPassword)).toBe(false);
    expect(await canSignIn(someone.email, newPassword)).toBe(true);
    expect((await mailsTo(app, someone.email))[0]?.subject).toBe("Your Pipwright password was changed");
    expect(await passwordAudit(someone.id)).toEqual([{ subject_type: "account", details: { by: "recovery" } }]);
  });

  it("mails no recovery link for an unknown address or an unfinished sign-up", async () => {
    const unfinished = await unverifiedStudent(app);
    for (const email of [unfinished.email, "nobody-at-all@example.com"]) {
      expect(await recover(email)).toMatchObject({ status: 200, body: {} });
      expect(await mailsTo(app, email)).toEqual([]);
    }
  });

  it("is answered after the same pause for known and unknown addresses", async () => {
    const known = await student(app);
    for (const email of [known.email, "nobody-at-all@example.com"]) {
      let endPause = (): void => {};
      const begun = new Promise<number | undefined>((begin) => {
        vi.mocked(pause).mockImplementationOnce(async (milliseconds, value) => {
          begin(milliseconds);
          await new Promise<void>((end) => (endPause = end));
          return value!;
        });
      });
      const order: string[] = [];
      const reply = recover(email).then(() => order.push("reply"));
      expect(await begun).toBe(250);
      for (let count = 0; count < 3; count += 1) await fetch(`${app.url}/healthz`);
      order.push("pause ends");
      endPause();
      await reply;
      expect(order).toEqual(["pause ends", "reply"]);
    }
  });

  it("refuses the sixth recovery mail an hour for one address", async () => {
    const guarded = await startApp({ environment: { RATE_LIMITS: "on" } });
    try {
      for (let time = 0; time < 5; time++) expect((await recover("someone@example.com", guarded)).status).toBe(200);
      expect(outcome(await recover("someone@example.com", guarded))).toEqual([429, "over_request_rate_limit"]);
      expect((await recover("another@example.com", guarded)).status).toBe(200);
    } finally {
      await guarded.close();
    }
  });
});

describe("a recovery link", () => {
  it("accepts a recovery link once when it is opened three times at once", async () => {
    const someone = await student(app);
    await recover(someone.email);
    const token = await recoveryTokenFor(app, someone.email);
    const answers = await Promise.all([redeem(token), redeem(token), redeem(token)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403, 403]);
    expect(answers.find(({ status }) => status === 403)?.body).toEqual({
      code: "otp_expired",
      message: "This link is invalid or has expired. Please request a new one.",
    });
  });

  it("refuses a recovery link after one hour, and deletes it with the next request", async () => {
    const someone = await student(app);
    await recover(someone.email);
    const token = await recoveryTokenFor(app, someone.email);
    app.clock.advance(3601);
    expect((await redeem(token)).status).toBe(403);
    await recover(someone.email);
    expect(await app.sql("select 1 from password_recoveries where account_id = $1", [someone.id])).toHaveLength(1);
  });

  it("refuses a link that was mailed while the clock was ahead", async () => {
    const someone = await student(app);
    app.clock.set(3600);
    await recover(someone.email);
    app.clock.set(-3600);
    expect(outcome(await redeem(await recoveryTokenFor(app, someone.email)))).toEqual([403, "otp_expired"]);
  });

  it("leaves the recovery links of others valid", async () => {
    const people = [await student(app), await student(app)];
    for (const { email } of people) await recover(email);
    for (const { email } of people) expect((await redeem(await recoveryTokenFor(app, email))).status).toBe(200);
  });

  it("refuses older recovery links after a change of the password", async () => {
    const someone = await student(app);
    await recover(someone.email);
    const older = await recoveryTokenFor(app, someone.email);
    await recover(someone.email);
    const opened = await redeem(await recoveryTokenFor(app, someone.email));
    await setPassword(asBearer(opened), { password: newPassword });
    expect((await redeem(older)).status).toBe(403);
  });

  it("mails no recovery link to an address that the account leaves meanwhile", async () => {
    const someone = await student(app);
    const move = { text: "update accounts set email = $2 where id = $1", values: [someone.id, `new-${someone.email}`] };
    expect((await behindTransaction(app, move, () => recover(someone.email))).status).toBe(200);
    expect(await mailsTo(app, someone.email)).toEqual([]);
    expect(await app.sql("select 1 from password_recoveries where account_id = $1", [someone.id])).toEqual([]);
  });

  it("stores the token of a recovery link only as a hash and in a sealed mail", async () => {
    const someone = await student(app);
    await recover(someone.email);
    const token = await recoveryTokenFor(app, someone.email);
    const stored = await app.sql("select token_hash from password_recoveries where account_id = $1", [someone.id]);
    expect(stored).toEqual([{ token_hash: createHash("sha256").update(token).digest() }]);
    const mails = await app.sql("select encode(sealed_body, 'escape') as text from mail_outbox");
    expect(JSON.stringify(mails)).not.toContain(token);
  });

  it("mails a recovery path without a host that only the request names", async () => {
    const someone = await student(app);
    expect(await recoverWithHost(someone.email, "evil.example")).toBe(200);
    const [mail] = await mailsTo(app, someone.email);
    expect(mail?.text).not.toContain("evil.example");
    expect(mail?.text).toMatch(/^\/auth#recovery=[\w-]{43}$/m);
  });

  it("mails a recovery link to PUBLIC_URL", async () => {
    const site = await startApp({ beside: app, environment: { PUBLIC_URL: "https://course.example.com" } });
    try {
      const someone = await student(app);
      await recover(someone.email, site);
      expect((await mailsTo(app, someone.email))[0]?.text).toContain("https://course.example.com/auth#recovery=");
    } finally {
      await site.close();
    }
  });
});

describe("a new password", () => {
  it("keeps the session that changes the password and ends the others", async () => {
    const here = await student(app);
    const there = await signIn(app, here.email, goodPassword);
    expect((await here.call("PUT", "/auth/v1/user", { password: newPassword })).status).toBe(200);
    expect((await here.call("GET", "/api/me")).status).toBe(200);
    expect((await there.call("GET", "/api/me")).status).toBe(401);
    expect(await passwordAudit(here.id)).toEqual([{ subject_type: "account", details: { by: "session" } }]);
    expect(await app.sql("select 1 from familiar_networks where account_id = $1", [here.id])).toHaveLength(1);
  });

  it.each([
    ["weak", "short", 422, "weak_password"],
    ["easy to guess", "Password1!", 422, "weak_password"],
    ["the owner's name", "SomchaiStudent", 422, "weak_password"],
    ["the old one", goodPassword, 422, "same_password"],
    ["too long", "long password ".repeat(20), 422, "validation_failed"],
  ])("refuses a new password that is %s", async (_what, password, status, code) => {
    const someone = await student(app);
    expect(outcome(await someone.call("PUT", "/auth/v1/user", { password }))).toEqual([status, code]);
  });

  it("refuses a new password of an unverified account", async () => {
    const someone = await unverifiedStudent(app);
    const answer = await someone.call("PUT", "/auth/v1/user", { password: newPassword });
    expect(outcome(answer)).toEqual([403, "email_not_confirmed"]);
  });

  it("lets one of two sessions set a password at once and ends the other", async () => {
    const here = await student(app);
    const there = await signIn(app, here.email, goodPassword);
    const answers = await Promise.all([
      here.call("PUT", "/auth/v1/user", { password: "the password of here" }),
      there.call("PUT", "/auth/v1/user", { password: "the password of there" }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    const winner = answers[0].status === 200 ? "here" : "there";
    expect(await canSignIn(here.email, `the password of ${winner}`)).toBe(true);
  });

  it("needs the current password or a recovery link to change the admin's", async () => {
    const operator = await admin(app);
    const refused = await operator.call("PUT", "/auth/v1/user", { password: newPassword });
    expect(outcome(refused)).toEqual([403, "password_confirmation_wrong"]);
    const wrong = await operator.call("PUT", "/auth/v1/user", { password: newPassword, current_password: "a guess" });
    expect(wrong.status).toBe(403);
    const right = await operator.call("PUT", "/auth/v1/user", { password: newPassword, current_password: adminPassword });
    expect(right.status).toBe(200);
    expect(await app.sql("select 1 from audit_log where action = 'admin.sign-in-failed'")).toHaveLength(1);

    await recover(adminEmail);
    const opened = await redeem(await recoveryTokenFor(app, adminEmail));
    const signIns = await app.sql("select details from audit_log where action = 'admin.sign-in' order by id");
    expect(signIns.at(-1)).toEqual({ details: { by: "recovery" } });
    expect((await setPassword(asBearer(opened), { password: adminPassword })).status).toBe(200);
    expect((await setPassword(asBearer(opened), { password: newPassword })).status).toBe(403);
    // Where the reply to the change was lost, the page asks so whether it was made.
    const same = { password: adminPassword, current_password: adminPassword };
    expect(outcome(await setPassword(asBearer(opened), same))).toEqual([422, "same_password"]);
    expect((await signIn(app, adminEmail, adminPassword)).id).toBe(operator.id);
  });

  it("shows no session of the admin whether a new password is the old one", async () => {
    const operator = await admin(app);
    for (const password of [adminPassword, newPassword]) {
      const refused = await operator.call("PUT", "/auth/v1/user", { password });
      expect(outcome(refused)).toEqual([403, "password_confirmation_wrong"]);
    }
  });

  it("shows no unproven session whether a new password is the old one", async () => {
    const someone = await student(app);
    await letProofExpire(app, someone);
    for (const password of [goodPassword, newPassword]) {
      expect(outcome(await someone.call("PUT", "/auth/v1/user", { password }))).toEqual([403, "step_up_needed"]);
    }
  });

  it("refuses a role, and changes no address before it is proven", async () => {
    const someone = await student(app);
    const changes = { email: `other-${someone.id}@example.com`, data: { full_name: "Other" } };
    expect((await someone.call("PUT", "/auth/v1/user", { ...changes, role: "admin" })).status).toBe(400);
    const answer = await someone.call("PUT", "/auth/v1/user", changes);
    expect(answer.body).toMatchObject({ email: someone.email, user_metadata: { full_name: "Other" } });
    expect((await someone.call("GET", "/api/me")).body).toMatchObject({ email: someone.email, role: "student" });
  });
});
