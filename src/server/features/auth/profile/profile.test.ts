// Over 250 lines: the whole change of a name and an address, by one app.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { codeFor, mailsTo, recoveryTokenFor } from "../../../../../tests/support/mails/received.ts";
import {
  admin,
  goodPassword,
  outcome,
  signIn,
  student,
  unverifiedStudent,
  visitor,
  type Answer,
  type Person,
} from "../../../../../tests/support/people.ts";
import { letProofExpire } from "../../../../../tests/support/second-factor.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

let count = 0;
const newAddress = (): string => `moved-${Date.now()}-${count++}@example.com`;
const update = (someone: Person, form: object): Promise<Answer> => someone.call("PUT", "/auth/v1/user", form);
const confirm = (email: string, token: string): Promise<Answer> =>
  visitor(app).call("POST", "/auth/v1/verify", { type: "email_change", email, token });
const resend = (form: object): Promise<Answer> => visitor(app).call("POST", "/auth/v1/resend", form);
const emailOf = async (someone: Person): Promise<string> => (await someone.call("GET", "/api/me")).body.email;

// OWN-2, OWN-4.
describe("a new name", () => {
  it("changes the name, trimmed, and returns it", async () => {
    const someone = await student(app);
    app.clock.advance(5);
    const { status, body } = await update(someone, { data: { full_name: "  Nok Newname " } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ user_metadata: { full_name: "Nok Newname" }, updated_at: app.clock.now().toISOString() });
    expect((await someone.call("GET", "/api/me")).body.full_name).toBe("Nok Newname");
  });

  it("changes no other profile, and none at all when it is the present name", async () => {
    const [someone, other] = [await student(app), await student(app)];
    /** The transaction that last wrote each profile. */
    const writers = () => app.sql("select id, xmin from profiles where id = any($1) order by id", [[someone.id, other.id]]);
    const before = await writers();
    expect((await update(someone, { data: { full_name: "Somchai Student" } })).status).toBe(200);
    expect(await writers()).toEqual(before);
    expect((await update(someone, { data: { full_name: "Nok Newname" } })).status).toBe(200);
    const after = await writers();
    expect(after.filter(({ xmin }, index) => xmin !== before[index]!["xmin"])).toMatchObject([{ id: someone.id }]);
  });

  it("is refused before the address is verified", async () => {
    const someone = await unverifiedStudent(app);
    expect(outcome(await update(someone, { data: { full_name: "Nok" } }))).toEqual([403, "email_not_confirmed"]);
  });

  it.each([
    [{ data: { full_name: "  " } }, 422, "full_name_missing"],
    [{ data: { full_name: "a\u202eb" } }, 422, "full_name_invalid"],
    [{ data: { nickname: "Nok" } }, 400, "validation_failed"],
    [{ data: {} }, 400, "validation_failed"],
    [{ data: null }, 400, "validation_failed"],
    [{ phone: "+66812345678" }, 422, "phone_provider_disabled"],
    [{ phone: "+66812345678", data: { full_name: "Other" } }, 422, "phone_provider_disabled"],
    [{ data: { full_name: "Other" }, password: "short" }, 422, "weak_password"],
    [{ data: { full_name: "Zuleikha Qormenta" }, password: "zuleikha qormenta 1" }, 422, "weak_password"],
    [{ email: "zuleikha.qormenta@example.com", password: "zuleikha.qormenta" }, 422, "weak_password"],
    [{ data: { full_name: "Other" }, email: "no address" }, 422, "email_address_invalid"],
    [{}, 400, "validation_failed"],
    [{ data: { full_name: "Other" }, role: "admin" }, 400, "validation_failed"],
    [{ data: { full_name: "Other" }, app_metadata: { role: "admin" } }, 400, "validation_failed"],
    [{ data: { full_name: "Other" }, email_confirm: true }, 400, "validation_failed"],
  ])("refuses %j and changes nothing", async (form, status, code) => {
    const someone = await student(app);
    const answer = await update(someone, form);
    expect(outcome(answer)).toEqual([status, code]);
    expect(answer.headers.get("x-supabase-api-version")).toBe("2024-01-01");
    expect((await someone.call("GET", "/api/me")).body.full_name).toBe("Somchai Student");
  });
});

// OWN-3.
describe("a new address", () => {
  it("changes the address once its code is entered, and notifies the old address", async () => {
    const someone = await student(app);
    const address = newAddress();
    const verifiedAt = () => app.sql("select email_verified_at from accounts where id = $1", [someone.id]);
    const verified = await verifiedAt();
    await visitor(app).call("POST", "/auth/v1/recover", { email: someone.email });
    const link = await recoveryTokenFor(app, someone.email);

    const asked = await update(someone, { email: ` ${address.toUpperCase()}` });

    expect(asked.body).toMatchObject({ email: someone.email, new_email: address });
    expect(await emailOf(someone)).toBe(someone.email);
    const confirmed = await confirm(address, await codeFor(app, address));
    expect(confirmed.status).toBe(200);
    expect(confirmed.body.user).toMatchObject({
      id: someone.id,
      email: address,
      identities: [{ identity_data: { email: address } }],
    });
    expect(confirmed.body.user.new_email).toBeUndefined();
    expect(confirmed.body.access_token).toBeUndefined();
    expect(await emailOf(someone)).toBe(address);
    // NEWS-4: who was verified before a mailing began gets it, also at another address.
    expect(await verifiedAt()).toEqual(verified);
    expect((await signIn(app, address, goodPassword)).id).toBe(someone.id);
    const [mail] = await mailsTo(app, someone.email);
    expect(mail?.text).toContain(address);
    const opened = await visitor(app).call("POST", "/auth/v1/verify", { type: "recovery", token_hash: link });
    expect(opened.status).toBe(403);
    const audit = await app.sql("select details from audit_log where action = 'account.email-change' and subject_id = $1", [
      someone.id,
    ]);
    expect(audit).toEqual([{ details: { before: someone.email, after: address } }]);
  });

  it("refuses a wrong code, a sixth try, an expired code and a used one", async () => {
    const someone = await student(app);
    const address = newAddress();
    await update(someone, { email: address });
    const code = await codeFor(app, address);
    for (let tries = 0; tries < 5; tries++) expect((await confirm(address, "000000")).status).toBe(400);
    expect((await confirm(address, code)).body.code).toBe("verification_code_invalid");

    app.clock.advance(60);
    await update(someone, { email: address });
    const late = await codeFor(app, address);
    app.clock.advance(601);
    expect((await confirm(address, late)).status).toBe(400);

    const again = await signIn(app, someone.email, goodPassword);
    await update(again, { email: address });
    const last = await codeFor(app, address);
    const answers = await Promise.all([confirm(address, last), confirm(address, last)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });

  it("mails the owner of a taken address and returns the usual reply", async () => {
    const [someone, owner] = [await student(app), await student(app)];
    const free = newAddress();
    const asked = await update(someone, { email: owner.email });
    expect(asked.status).toBe(200);
    const [mail] = await mailsTo(app, owner.email);
    expect(mail?.subject).toContain("already has this address");
    expect(mail?.text).not.toMatch(/\b\d{6}\b/);
    expect(mail?.text).not.toContain(someone.email);
    const other = await update(await student(app), { email: free });
    const shapeOf = ({ body }: Answer) => Object.keys(body);
    expect(shapeOf(asked)).toEqual(shapeOf(other));
  });

  it("assigns an address to the account that proves it first", async () => {
    const [one, other] = [await student(app), await student(app)];
    const address = newAddress();
    await update(one, { email: address });
    const first = await codeFor(app, address);
    await update(other, { email: address });
    const second = await codeFor(app, address);
    expect((await confirm(address, second)).body.user.id).toBe(other.id);
    expect((await confirm(address, first)).status).toBe(400);
    expect(await emailOf(one)).toBe(one.email);
  });

  it("cancels a change when the present address is requested", async () => {
    const someone = await student(app);
    const address = newAddress();
    await update(someone, { email: address });
    expect((await update(someone, { email: someone.email })).body.new_email).toBeUndefined();
    expect((await confirm(address, await codeFor(app, address))).status).toBe(400);
  });

  it("refuses the admin's address, the admin, and unverified or unproven callers", async () => {
    const someone = await student(app);
    expect(outcome(await update(someone, { email: "ADMIN@example.com" }))).toEqual([422, "email_reserved"]);
    expect(outcome(await update(await admin(app), { email: newAddress() }))).toEqual([409, "admin_email_fixed"]);
    const unverified = await unverifiedStudent(app);
    expect(outcome(await update(unverified, { email: newAddress() }))).toEqual([403, "email_not_confirmed"]);
    await letProofExpire(app, someone);
    expect(outcome(await update(someone, { email: newAddress() }))).toEqual([403, "step_up_needed"]);
  });

  it("mails a new address one code a minute", async () => {
    const someone = await student(app);
    await update(someone, { email: newAddress() });
    const answer = await update(someone, { email: newAddress() });
    expect(outcome(answer)).toEqual([429, "over_email_send_rate_limit"]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("POST /auth/v1/resend", () => {
  it("mails another code for an unfinished sign-up", async () => {
    const someone = await unverifiedStudent(app);
    await someone.call("POST", "/functions/v1/send-verification-email", {});
    const before = (await mailsTo(app, someone.email)).length;
    app.clock.advance(301);
    const answer = await resend({ type: "signup", email: someone.email });
    expect([answer.status, answer.body]).toEqual([200, {}]);
    expect(await mailsTo(app, someone.email)).toHaveLength(before + 1);
    const code = await codeFor(app, someone.email);
    expect((await someone.call("POST", "/functions/v1/verify-email", { code })).body).toEqual({ verified: true });
  });

  it("mails another code for a new address, named by the old or the new one", async () => {
    const someone = await student(app);
    const address = newAddress();
    await update(someone, { email: address });
    for (const email of [someone.email, address]) {
      app.clock.advance(301);
      expect((await resend({ type: "email_change", email })).status).toBe(200);
    }
    expect(await mailsTo(app, address)).toHaveLength(3);
    expect((await confirm(address, await codeFor(app, address))).status).toBe(200);
  });

  it("does not reveal whether there is a code to resend or a pause", async () => {
    const someone = await unverifiedStudent(app);
    await someone.call("POST", "/functions/v1/send-verification-email", {});
    const verified = await student(app);
    for (const email of [someone.email, verified.email, newAddress()]) {
      for (const type of ["signup", "email_change"]) {
        const answer = await resend({ type, email });
        expect([answer.status, answer.body]).toEqual([200, {}]);
      }
    }
    expect(await mailsTo(app, someone.email)).toHaveLength(1);
    expect(await mailsTo(app, verified.email)).toEqual([]);
  });

  it.each([{ type: "sms", phone: "+66812345678" }, { type: "recovery", email: "a@example.com" }, { type: "signup" }])(
    "refuses %j",
    async (form) => {
      expect(outcome(await resend(form))).toEqual([400, "validation_failed"]);
    },
  );
});

it.each([
  ["GET", "/auth/v1/settings"],
  ["GET", "/auth/v1/reauthenticate"],
  ["POST", "/auth/v1/otp"],
  ["PATCH", "/auth/v1/user"],
  ["POST", "/auth/v1/factors/a/b/c"],
  ["GET", "/auth/v1/%zz"],
])("answers %s %s in the form that auth-js reads", async (method, path) => {
  const answer = await visitor(app).call(method, path);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.headers.get("x-supabase-api-version")).toBe("2024-01-01");
  expect(answer.body).toEqual({ code: expect.any(String), message: expect.any(String) });
});
