import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { behindTransaction } from "../../../../../tests/support/database/behind-transaction.ts";
import { codeFor, mailsTo, recoveryTokenFor } from "../../../../../tests/support/mails/received.ts";
import {
  goodPassword,
  outcome,
  signIn,
  student,
  unverifiedStudent,
  visitor,
  type Answer,
  type Person,
} from "../../../../../tests/support/people.ts";
import { turnOnSecondFactor } from "../../../../../tests/support/second-factor.ts";

let app: TestApp;
/** The same with limits, behind a proxy. */
let limited: TestApp;
beforeAll(async () => {
  app = await startApp();
  limited = await startApp({ environment: { RATE_LIMITS: "on", TRUST_PROXY: "on" } });
});
afterAll(async () => {
  await app?.close();
  await limited?.close();
});

let count = 0;
const newAddress = (): string => `taken-${Date.now()}-${count++}@example.com`;
const confirm = (email: string, token: string): Promise<Answer> =>
  visitor(app).call("POST", "/auth/v1/verify", { type: "email_change", email, token });
const resend = (form: object): Promise<Answer> => visitor(app).call("POST", "/auth/v1/resend", form);
const emailOf = async ({ id }: Person): Promise<unknown> =>
  (await app.sql("select email from accounts where id = $1", [id]))[0];

/** Requests a new address in a session, and returns it with the code that was mailed there. */
async function request(someone: Person): Promise<{ address: string; code: string }> {
  const address = newAddress();
  const { status, body } = await someone.call("PUT", "/auth/v1/user", { email: address });
  if (status !== 200) throw new Error(`The change of address returned ${status}: ${JSON.stringify(body)}`);
  return { address, code: await codeFor(app, address) };
}

const lockedAccount = "with account as (select id from accounts where id = $1 for update)";

// OWN-3.
describe("a change of address that a stolen session began", () => {
  const waysToTakeBack: [string, (owner: Person, thief: Person) => Promise<unknown>][] = [
    [
      "changes the password",
      (owner) => owner.call("PUT", "/auth/v1/user", { password: "an even finer password", current_password: goodPassword }),
    ],
    ["ends all other sessions", (owner) => owner.call("DELETE", "/api/sessions")],
    [
      "ends that session",
      async (owner) => {
        const { items } = (await owner.call("GET", "/api/sessions")).body;
        const other = items.find(({ current }: { current: boolean }) => !current);
        await owner.call("DELETE", `/api/sessions/${other.id}`);
      },
    ],
    ["signs out the others", (owner) => owner.call("POST", "/auth/v1/logout?scope=others")],
    ["signs out everywhere", (owner) => owner.call("POST", "/auth/v1/logout?scope=global")],
    ["turns the second factor on", (owner) => turnOnSecondFactor(app, owner)],
    [
      "opens a recovery link",
      async (owner) => {
        await visitor(app).call("POST", "/auth/v1/recover", { email: owner.email });
        const token_hash = await recoveryTokenFor(app, owner.email);
        await visitor(app).call("POST", "/auth/v1/verify", { type: "recovery", token_hash });
      },
    ],
    [
      "reveals a copied refresh token",
      async (_owner, thief) => {
        const form = { refresh_token: thief.refreshToken };
        await visitor(app).call("POST", "/auth/v1/token?grant_type=refresh_token", form);
        app.clock.advance(11);
        await visitor(app).call("POST", "/auth/v1/token?grant_type=refresh_token", form);
      },
    ],
  ];

  it.each(waysToTakeBack)("ends a pending change of address when the owner %s", async (_way, takeBack) => {
    const owner = await student(app);
    const thief = await signIn(app, owner.email, goodPassword);
    const { address, code } = await request(thief);
    await takeBack(owner, thief);
    expect((await confirm(address, code)).body.code).toBe("verification_code_invalid");
    expect(await emailOf(owner)).toEqual({ email: owner.email });
  });

  it("keeps a pending change when its own session signs out or only the name changes", async () => {
    const owner = await student(app);
    const { address, code } = await request(owner);
    expect((await owner.call("PUT", "/auth/v1/user", { data: { full_name: "Nok" } })).status).toBe(200);
    expect((await owner.call("POST", "/auth/v1/logout?scope=local")).status).toBe(204);
    expect((await confirm(address, code)).status).toBe(200);
  });

  it("keeps a change that is requested together with a new password", async () => {
    const owner = await student(app);
    const form = { email: newAddress(), password: "an even finer password", current_password: goodPassword };
    expect((await owner.call("PUT", "/auth/v1/user", form)).body.new_email).toBe(form.email);
    expect((await confirm(form.email, await codeFor(app, form.email))).status).toBe(200);
  });

  it("refuses a change of address in a session that ends meanwhile", async () => {
    const owner = await student(app);
    const thief = await signIn(app, owner.email, goodPassword);
    const end = `${lockedAccount} update sessions set revoked_at = now() where account_id in (select id from account)`;
    const answer = await behindTransaction(app, { text: end, values: [owner.id] }, () =>
      thief.call("PUT", "/auth/v1/user", { email: newAddress() }),
    );
    expect(outcome(answer)).toEqual([401, "session_not_found"]);
    expect(await app.sql("select 1 from email_changes where account_id = $1", [owner.id])).toEqual([]);
  });

  it("mails no other code for a change that is cancelled meanwhile", async () => {
    const owner = await student(app);
    const { address } = await request(owner);
    app.clock.advance(301);
    const cancel = `${lockedAccount} delete from email_changes where account_id in (select id from account)`;
    const answer = await behindTransaction(app, { text: cancel, values: [owner.id] }, () =>
      resend({ type: "email_change", email: address }),
    );
    expect(answer.status).toBe(200);
    expect(await mailsTo(app, address)).toHaveLength(1);
    expect(await app.sql("select 1 from email_changes where account_id = $1", [owner.id])).toEqual([]);
  });

  it("ends a change half an hour after its request, also when its code is resent", async () => {
    const owner = await student(app);
    const { address } = await request(owner);
    for (let minutes = 0; minutes < 30; minutes += 6) {
      app.clock.advance(360);
      await resend({ type: "email_change", email: address });
    }
    expect((await mailsTo(app, address)).length).toBeGreaterThan(2);
    expect((await confirm(address, await codeFor(app, address))).status).toBe(400);
  });

  it("mails another code for 20 minutes, also once the last one has expired", async () => {
    const [owner, other] = [await student(app), await student(app)];
    const [{ address }, { address: late }] = [await request(owner), await request(other)];
    app.clock.advance(12 * 60);
    await resend({ type: "email_change", email: address });
    expect((await confirm(address, await codeFor(app, address))).status).toBe(200);
    app.clock.advance(8 * 60 + 1);
    await resend({ type: "email_change", email: late });
    expect(await mailsTo(app, late)).toHaveLength(1);
  });

  it("never changes the admin's address by a code", async () => {
    const owner = await student(app);
    const { address, code } = await request(owner);
    await app.sql("update accounts set role = 'student' where role = 'admin'");
    await app.sql("update accounts set role = 'admin' where id = $1", [owner.id]);
    expect((await confirm(address, code)).status).toBe(400);
    await app.sql("update accounts set role = 'student' where id = $1", [owner.id]);
    await app.sql("update accounts set role = 'admin' where email = $1", [app.deps.config.admin.email]);
  });

  it("notifies the present address when a new one is requested", async () => {
    const owner = await student(app);
    const { address } = await request(owner);
    const [mail] = await mailsTo(app, owner.email);
    expect(mail?.subject).toContain("new email address");
    expect(mail?.text).toContain(address);
    expect(mail?.text).not.toMatch(/\b\d{6}\b/);
  });
});

// OWN-3, VERIFY-6.
describe("codes that strangers ask for or guess", () => {
  it("sends a stranger's request no other code while the present one is good", async () => {
    const owner = await student(app);
    const { address, code } = await request(owner);
    const newcomer = await unverifiedStudent(app);
    await newcomer.call("POST", "/functions/v1/send-verification-email", {});
    app.clock.advance(299);
    await resend({ type: "email_change", email: address });
    await resend({ type: "signup", email: newcomer.email });
    expect(await mailsTo(app, address)).toHaveLength(1);
    expect(await mailsTo(app, newcomer.email)).toHaveLength(1);
    expect((await confirm(address, code)).status).toBe(200);
  });

  it("sends a stranger's request another code once the tries are used up", async () => {
    const owner = await student(app);
    const { address } = await request(owner);
    const newcomer = await unverifiedStudent(app);
    await newcomer.call("POST", "/functions/v1/send-verification-email", {});
    for (let tries = 0; tries < 5; tries++) {
      await confirm(address, "000000");
      await newcomer.call("POST", "/functions/v1/verify-email", { code: "000000" });
    }
    app.clock.advance(61);
    await resend({ type: "email_change", email: address });
    await resend({ type: "signup", email: newcomer.email });
    expect(await mailsTo(app, address)).toHaveLength(2);
    expect(await mailsTo(app, newcomer.email)).toHaveLength(2);
    expect((await confirm(address, await codeFor(app, address))).status).toBe(200);
  });

  it("sends the signed-in caller another code after a minute", async () => {
    const owner = await student(app);
    const { address } = await request(owner);
    app.clock.advance(61);
    expect((await owner.call("PUT", "/auth/v1/user", { email: address })).status).toBe(200);
    expect(await mailsTo(app, address)).toHaveLength(2);
  });

  it("allows one network three tries of a new address, and leaves the owner the rest", async () => {
    const owner = await student(limited);
    const address = newAddress();
    await owner.call("PUT", "/auth/v1/user", { email: address }, { "x-forwarded-for": "203.0.113.7" });
    const code = await codeFor(limited, address);
    const tryFrom = async (from: string, token: string): Promise<number> =>
      (
        await visitor(limited).call(
          "POST",
          "/auth/v1/verify",
          { type: "email_change", email: address, token },
          { "x-forwarded-for": from },
        )
      ).status;
    const statuses = [];
    for (let tries = 0; tries < 5; tries++) statuses.push(await tryFrom("192.0.2.99", "000000"));
    expect(statuses).toEqual([400, 400, 400, 429, 429]);
    expect(await tryFrom("203.0.113.7", code)).toBe(200);
  });

  it("allows one network five requests for another code of an address", async () => {
    const ask = async (from: string): Promise<number> =>
      (
        await visitor(limited).call(
          "POST",
          "/auth/v1/resend",
          { type: "signup", email: "asked-for@example.com" },
          { "x-forwarded-for": from },
        )
      ).status;
    const statuses = [];
    for (let asked = 0; asked < 6; asked++) statuses.push(await ask("192.0.2.99"));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await ask("203.0.113.7")).toBe(200);
  });
});
