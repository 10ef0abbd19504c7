// Over 250 lines: who may have which address and password, with one app and its rows between the tests.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { adminEmail, startApp, type TestApp } from "../../../../tests/support/app.ts";
import { behindTransaction } from "../../../../tests/support/database/behind-transaction.ts";
import { codeFor, mailsTo } from "../../../../tests/support/mails/received.ts";
import {
  goodPassword,
  outcome,
  signIn,
  student,
  unverifiedStudent,
  visitor,
  type Answer,
  type Person,
} from "../../../../tests/support/people.ts";

/** The real one, whose cost is a subject here. */
vi.mock("@node-rs/argon2", () => vi.importActual("@node-rs/argon2/index.js"));

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const newAddress = (): string => `new-${randomUUID()}@example.com`;

interface Form {
  email?: string;
  password?: string;
  data?: { full_name?: unknown } | null;
}
const signUp = (form: Form) =>
  visitor(app).call("POST", "/auth/v1/signup", {
    email: newAddress(),
    password: goodPassword,
    data: { full_name: "Somchai Student" },
    ...form,
  });

const asBearer = ({ body }: Answer) => ({ authorization: `Bearer ${body.access_token}` });
const send = (someone: Person) => someone.call("POST", "/functions/v1/send-verification-email", {});
const verify = (headers: Record<string, string>, code: string) =>
  visitor(app).call("POST", "/functions/v1/verify-email", { code }, headers);

describe("signing up", () => {
  it("signs up a student with an unverified e-mail and a session", async () => {
    const email = newAddress();
    const answer = await signUp({ email: `  ${email.toUpperCase()} `, data: { full_name: "  Ann Example " } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-supabase-api-version")).toBe("2024-01-01");
    expect(answer.body).toMatchObject({
      token_type: "bearer",
      expires_in: 600,
      user: { email, aud: "authenticated", role: "authenticated", user_metadata: { full_name: "Ann Example" } },
    });
    expect(answer.body.user.email_confirmed_at).toBeUndefined();
    const me = await visitor(app).call("GET", "/api/me", undefined, {
      authorization: `Bearer ${answer.body.access_token}`,
    });
    expect(me.body).toEqual({
      id: answer.body.user.id,
      email,
      full_name: "Ann Example",
      subscription_status: "unpaid",
      email_verified: false,
      role: "student",
      second_factor: false,
      verification: { resend_after: 0, tries_left: 0, mail_failed: false },
      max_upload_bytes: expect.any(Object),
    });
  });

  it("stores a password only as argon2id with 19 MiB, two passes, one lane", async () => {
    const { id } = await unverifiedStudent(app);
    const [row] = await app.sql<{ password_hash: string }>("select password_hash from accounts where id = $1", [id]);
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it.each([
    ["in capitals", adminEmail.toUpperCase()],
    ["between blanks", ` ${adminEmail} `],
    ["in full-width letters", "ａdmin@example.com"],
    ["with a Cyrillic a", "\u0430dmin@example.com"],
    ["with an invisible character", "ad\u200bmin@example.com"],
  ])("refuses a sign-up with the admin's address %s", async (_how, email) => {
    const answer = await signUp({ email });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      code: "email_reserved",
      message: "This email is reserved for admin access. Please use the login form instead.",
    });
  });

  it.each([
    ["short7!", ["length"]],
    ["aaaaaaaaaa", ["characters"]],
    ["Password123", ["pwned"]],
    ["11111111", ["characters"]],
    ["qwerty12345", ["pwned"]],
    ["a".repeat(256), ["characters"]],
  ])("refuses the weak password %s with its reasons", async (password, reasons) => {
    const answer = await signUp({ password });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: "weak_password", weak_password: { reasons } });
  });

  it.each([
    ["the account's own name", "WiratchaneeP1"],
    ["the account's own address", "wira.p@Example.com"],
    ["the beginning of the address", "wira.p99"],
    ["the site's name", "Pipwright!"],
  ])("refuses a password made of %s", async (_what, password) => {
    const answer = await signUp({ email: "wira.p@example.com", password, data: { full_name: "Wiratchanee Phongsa" } });
    expect(answer.body).toEqual({
      code: "weak_password",
      message:
        "Please choose a stronger password: at least 8 characters, not easy to guess, and not your name, your email or this site's name.",
      weak_password: { reasons: ["pwned"] },
    });
  });

  it.each([
    ["no name", { data: {} }, 422, "full_name_missing"],
    ["no metadata", { data: null }, 422, "full_name_missing"],
    ["a blank name", { data: { full_name: "   " } }, 422, "full_name_missing"],
    ["a name of 101 letters", { data: { full_name: "x".repeat(101) } }, 422, "full_name_invalid"],
    ["a name with a line break", { data: { full_name: "Ann\nBcc: all@example.com" } }, 422, "full_name_invalid"],
    ["a name that runs backwards", { data: { full_name: "Ann\u202egro.elpmaxe" } }, 422, "full_name_invalid"],
    ["a malformed address", { email: "nobody" }, 422, "email_address_invalid"],
    ["two addresses", { email: "a@example.com,b@example.com" }, 422, "email_address_invalid"],
    ["a password of 257 characters", { password: "long password ".repeat(20) }, 422, "validation_failed"],
    ["a name that is a number", { data: { full_name: 7 } }, 400, "validation_failed"],
  ])("refuses a sign-up with %s", async (_what, form, status, code) => {
    expect(outcome(await signUp(form))).toEqual([status, code]);
  });
});

describe("an address that has an account", () => {
  it("replies to a sign-up with a taken address as with a free one", async () => {
    const owner = await student(app);
    const free = await signUp({});
    const taken = await signUp({ email: owner.email });
    expect(taken.status).toBe(free.status);
    expect(Object.keys(taken.body)).toEqual(Object.keys(free.body));
    expect(Object.keys(taken.body.user)).toEqual(Object.keys(free.body.user));
    expect(taken.body.user.id).not.toBe(owner.id);

    const intruder = await signIn(app, owner.email, goodPassword);
    expect(intruder.id).toBe(owner.id);
  });

  it("mails the owner of a taken address a notice without a code", async () => {
    const owner = await student(app);
    const intruder = await unverifiedStudent(app, owner.email);
    const sent = await intruder.call("POST", "/functions/v1/send-verification-email", { email: owner.email });
    expect(sent).toMatchObject({ status: 200, body: { sent: true, resend_after: 60 } });
    const [mail] = await mailsTo(app, owner.email);
    expect(mail?.subject).toBe("You already have a Pipwright account");
    expect(mail?.text).not.toMatch(/\d{6}/);
  });

  it("keeps the password of a taken address beside an unverified sign-up", async () => {
    const owner = await student(app);
    const other = await signUp({ email: owner.email, password: "another long password" });
    expect(other.status).toBe(200);
    expect((await signIn(app, owner.email, goodPassword)).id).toBe(owner.id);
    const intruder = await signIn(app, owner.email, "another long password");
    expect((await intruder.call("GET", "/api/me")).body).toMatchObject({ id: other.body.user.id, email_verified: false });
    expect((await owner.call("GET", "/api/me")).status).toBe(200);
  });
});

// ACCOUNT-10.
describe("an address with an unfinished sign-up", () => {
  it("keeps an unfinished account for the same password, with the newest name", async () => {
    const first = await unverifiedStudent(app);
    const second = await signUp({ email: first.email, data: { full_name: "Newer Name" } });
    expect(second.body.user).toMatchObject({ id: first.id, user_metadata: { full_name: "Newer Name" } });
    expect((await first.call("GET", "/api/me")).body.full_name).toBe("Newer Name");
  });

  it("keeps the session and code of an unfinished sign-up when another begins", async () => {
    const owner = await unverifiedStudent(app);
    await send(owner);
    const code = await codeFor(app, owner.email);
    const stranger = await signUp({ email: owner.email, password: "another long password" });
    expect(stranger.status).toBe(200);
    expect(stranger.body.user.id).not.toBe(owner.id);
    expect((await verify(asBearer(stranger), code)).body.code).toBe("verification_code_invalid");

    expect((await owner.call("GET", "/api/me")).body).toMatchObject({ full_name: "Somchai Student", email_verified: false });
    expect((await owner.call("POST", "/functions/v1/verify-email", { code })).status).toBe(200);
    expect((await visitor(app).call("GET", "/api/me", undefined, asBearer(stranger))).status).toBe(401);
    expect(await app.sql("select id from accounts where email = $1", [owner.email])).toEqual([{ id: owner.id }]);
  });

  it("mails each of two sign-ups its own code and ends neither", async () => {
    const owner = await unverifiedStudent(app);
    const stranger = await signUp({ email: owner.email, password: "another long password" });
    await visitor(app).call("POST", "/functions/v1/send-verification-email", {}, asBearer(stranger));
    const [strangersMail] = await mailsTo(app, owner.email);
    await send(owner);
    const [ownersMail] = await mailsTo(app, owner.email);
    const codeIn = (text = "") => /^\d{6}$/m.exec(text)![0];
    expect((await owner.call("POST", "/functions/v1/verify-email", { code: codeIn(strangersMail?.text) })).status).toBe(400);
    expect((await owner.call("POST", "/functions/v1/verify-email", { code: codeIn(ownersMail?.text) })).status).toBe(200);
  });

  it("signs in to each of two unfinished sign-ups with its own password", async () => {
    const first = await unverifiedStudent(app);
    const second = await signUp({ email: first.email, password: "another long password" });
    expect((await signIn(app, first.email, goodPassword)).id).toBe(first.id);
    expect((await signIn(app, first.email, "another long password")).id).toBe(second.body.user.id);
  });

  it("holds five sign-ups of an address, and frees the oldest's place after an hour", async () => {
    const owner = await unverifiedStudent(app);
    const next = (index: number) => signUp({ email: owner.email, password: `password of stranger ${index}` });
    for (let stranger = 1; stranger <= 4; stranger++) {
      app.clock.advance(1);
      expect((await next(stranger)).status).toBe(200);
    }
    const refused = await next(5);
    expect(outcome(refused)).toEqual([429, "over_request_rate_limit"]);
    expect(refused.headers.get("retry-after")).toBe("3596");
    expect((await owner.call("GET", "/api/me")).status).toBe(200);

    app.clock.advance(3596);
    expect((await next(5)).status).toBe(200);
    expect(await app.sql("select 1 from accounts where id = $1", [owner.id])).toEqual([]);
    expect(await app.sql("select 1 from accounts where email = $1", [owner.email])).toHaveLength(5);
  });

  it("protects no sign-up of a clock that was ahead, once there is no room", async () => {
    const email = newAddress();
    const next = (index: number) => signUp({ email, password: `password of stranger ${index}` });
    expect((await next(0)).status).toBe(200);
    app.clock.set(7200);
    for (let stranger = 1; stranger <= 4; stranger++) expect((await next(stranger)).status).toBe(200);
    app.clock.set(-7200);
    for (let stranger = 5; stranger <= 8; stranger++) expect((await next(stranger)).status).toBe(200);
    expect(outcome(await next(9))).toEqual([429, "over_request_rate_limit"]);
  });

  it("begins anew when the admin deletes the unfinished account meanwhile", async () => {
    const { id, email } = await unverifiedStudent(app);
    const deletion = { text: "delete from accounts where id = $1", values: [id] };
    const answer = await behindTransaction(app, deletion, () => signUp({ email }));
    expect(answer.status).toBe(200);
    expect(await app.sql("select id from accounts where email = $1", [email])).toEqual([{ id: answer.body.user.id }]);
  });

  it("makes one account of five identical sign-ups at once", async () => {
    const email = newAddress();
    const answers = await Promise.all(Array.from({ length: 5 }, () => signUp({ email })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
  });

  it("keeps five of six different sign-ups at once and refuses one", async () => {
    const email = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => signUp({ email, password: `password of person ${index}` })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...Array<number>(5).fill(200), 429]);
    const rows = await app.sql<{ id: string }>("select id from accounts where email = $1", [email]);
    const opened = answers.filter(({ status }) => status === 200).map(({ body }) => body.user.id);
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(opened));
  });
});
