import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowIdle, transaction } from "#server/platform/db/transaction";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { codeFor, mailsTo } from "../../../../tests/support/mails/received.ts";
import {
  admin,
  goodPassword,
  signIn,
  student,
  unverifiedStudent,
  visitor,
  type Person,
} from "../../../../tests/support/people.ts";
import { unlessVerifiedElsewhere } from "../auth/service.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const send = (someone: Person, body: object = {}) => someone.call("POST", "/functions/v1/send-verification-email", body);
const verify = (someone: Person, code: unknown) => someone.call("POST", "/functions/v1/verify-email", { code });
const isVerified = async (someone: Person): Promise<boolean> => (await someone.call("GET", "/api/me")).body.email_verified;
/** Returns another code of six digits. */
const wrong = (code: string, by = 1): string => String(100_000 + ((Number(code) - 100_000 + by) % 900_000));
const invalid = { status: 400, body: { code: "verification_code_invalid", error: "Invalid or expired verification code" } };

async function someoneWithCode(): Promise<{ someone: Person; code: string }> {
  const someone = await unverifiedStudent(app);
  expect((await send(someone)).status).toBe(200);
  return { someone, code: await codeFor(app, someone.email) };
}

describe("a verification code", () => {
  it("mails the caller a code that verifies the account, once", async () => {
    const someone = await unverifiedStudent(app);
    const sent = await send(someone, { email: ` ${someone.email.toUpperCase()} `, fullName: "Whoever", code: "123456" });
    expect(sent).toMatchObject({ status: 200, body: { sent: true, resend_after: 60 } });
    const [mail] = await mailsTo(app, someone.email);
    expect(mail).toMatchObject({ to: someone.email, subject: "Your Pipwright verification code" });
    expect(mail?.text).toMatch(/Hello Somchai Student,\s+Enter this code on the verification page:/);
    expect(mail?.text).toContain("10 minutes");
    expect(mail?.text).not.toContain("123456");
    const code = await codeFor(app, someone.email);
    expect(Number(code)).toBeGreaterThanOrEqual(100_000);

    expect(await verify(someone, ` ${code} `)).toMatchObject({ status: 200, body: { verified: true } });
    expect(await isVerified(someone)).toBe(true);
    const rows = await app.sql("select verified, tries from verification_codes where user_id = $1", [someone.id]);
    expect(rows).toEqual([{ verified: true, tries: 1 }]);
    expect(await verify(someone, code)).toMatchObject({ status: 409, body: { code: "email_already_verified" } });
  });

  it("ends the codes of nobody else", async () => {
    const people = [await someoneWithCode(), await someoneWithCode()];
    for (const { someone, code } of people) expect((await verify(someone, code)).status).toBe(200);
  });

  it("mails a code without waiting for a change of the profile", async () => {
    const someone = await unverifiedStudent(app);
    await transaction(app.deps.db, async (tx) => {
      await allowIdle(tx, 0);
      await tx.execute(sql`select from profiles where id = ${someone.id} for update`);
      expect((await send(someone)).status).toBe(200);
    });
  });

  it("stores a verification code only as a keyed hash and in a sealed mail", async () => {
    const { someone, code } = await someoneWithCode();
    const codes = await app.sql("select v::text from verification_codes v where user_id = $1", [someone.id]);
    const mails = await app.sql("select subject, encode(sealed_body, 'escape') as body from mail_outbox where recipient = $1", [
      someone.email,
    ]);
    expect(JSON.stringify([codes, mails])).not.toContain(code);
    expect(JSON.stringify(codes)).toContain(someone.email);
  });

  it.each(["", "12345", "1234567", "1".repeat(21), "12345a", "１２３４５６", 123456, undefined])(
    "refuses a verification code without exactly six digits, counting no try: %o",
    async (code) => {
      const { someone } = await someoneWithCode();
      expect(await verify(someone, code)).toMatchObject({
        status: 400,
        body: { code: "verification_code_incomplete", error: "Please enter the complete 6-digit code" },
      });
      expect(await app.sql("select tries from verification_codes where user_id = $1", [someone.id])).toEqual([{ tries: 0 }]);
    },
  );

  it("accepts a verification code within ten minutes and refuses it afterwards", async () => {
    const { someone, code } = await someoneWithCode();
    app.clock.advance(10 * 60);
    // The access token has expired with it.
    expect(await verify(await signIn(app, someone.email, goodPassword), code)).toMatchObject(invalid);
    const another = await someoneWithCode();
    app.clock.advance(10 * 60 - 5);
    expect((await verify(another.someone, another.code)).status).toBe(200);
  });

  it("refuses a verification code of another account", async () => {
    const { code } = await someoneWithCode();
    const other = await someoneWithCode();
    if (other.code !== code) expect(await verify(other.someone, code)).toMatchObject(invalid);
  });

  it("refuses a verification code once a newer one is sent", async () => {
    const { someone, code: older } = await someoneWithCode();
    app.clock.advance(60);
    await send(someone);
    const newer = await codeFor(app, someone.email);
    if (older !== newer) expect(await verify(someone, older)).toMatchObject(invalid);
    expect((await verify(someone, newer)).status).toBe(200);
  });

  it("accepts the right code at the fifth try and refuses it at the sixth", async () => {
    const lucky = await someoneWithCode();
    for (let by = 1; by <= 4; by++) expect(await verify(lucky.someone, wrong(lucky.code, by))).toMatchObject(invalid);
    expect((await verify(lucky.someone, lucky.code)).status).toBe(200);

    const unlucky = await someoneWithCode();
    for (let by = 1; by <= 5; by++) await verify(unlucky.someone, wrong(unlucky.code, by));
    expect(await verify(unlucky.someone, unlucky.code)).toMatchObject(invalid);
    expect(await isVerified(unlucky.someone)).toBe(false);
  });

  it("counts five tries of a code when twenty come at once", async () => {
    const { someone, code } = await someoneWithCode();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, by) => verify(someone, wrong(code, by + 1))));
    expect(answers.every(({ status }) => status === 400)).toBe(true);
    expect(await app.sql("select tries from verification_codes where user_id = $1", [someone.id])).toEqual([{ tries: 5 }]);
    expect(await verify(someone, code)).toMatchObject(invalid);
  });

  it("verifies once when the same code is sent three times at once", async () => {
    const { someone, code } = await someoneWithCode();
    const answers = await Promise.all([verify(someone, code), verify(someone, code), verify(someone, code)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await isVerified(someone)).toBe(true);
  });
});

describe("sending a code", () => {
  it("refuses another code within 60 seconds, with the seconds to wait", async () => {
    const { someone } = await someoneWithCode();
    app.clock.advance(20);
    const refused = await send(someone);
    expect(refused).toMatchObject({
      status: 429,
      body: { code: "code_resend_too_soon", error: "Please wait before requesting another code." },
    });
    expect(refused.headers.get("retry-after")).toBe("40");
    app.clock.advance(40);
    expect((await send(someone)).status).toBe(200);
  });

  it("mails one code when ten are requested at once", async () => {
    const someone = await unverifiedStudent(app);
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(someone)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(9).fill(429)]);
    expect(await mailsTo(app, someone.email)).toHaveLength(1);
  });

  it("refuses to mail a code to another address than the caller's", async () => {
    const someone = await unverifiedStudent(app);
    const victim = await unverifiedStudent(app);
    expect(await send(someone, { email: victim.email })).toMatchObject({ status: 403, body: { code: "not_allowed" } });
    expect(await mailsTo(app, victim.email)).toEqual([]);
  });

  it("leaves a name that could be a link out of the mail with the code", async () => {
    const someone = await unverifiedStudent(app);
    await app.sql("update profiles set full_name = 'Win at spam.example/now' where id = $1", [someone.id]);
    await send(someone);
    expect((await mailsTo(app, someone.email))[0]?.text).not.toContain("spam.example");
  });

  it("refuses to mail a code to a verified account", async () => {
    for (const someone of [await student(app), await admin(app)]) {
      expect(await send(someone)).toMatchObject({ status: 409, body: { code: "email_already_verified" } });
    }
  });

  it("names no pause to an account that was verified within it", async () => {
    const { someone, code } = await someoneWithCode();
    await verify(someone, code);
    expect(await send(someone)).toMatchObject({ status: 409, body: { code: "email_already_verified" } });
  });

  // VERIFY-6.
  it("mails a sign-up's first code although a stranger used up the address's mails", async () => {
    const guarded = await startApp({ environment: { RATE_LIMITS: "on" } });
    try {
      const stranger = await unverifiedStudent(guarded, "wanted@example.com");
      for (let mail = 0; mail < 10; mail++) {
        expect((await send(stranger)).status).toBe(200);
        guarded.clock.advance(60);
      }
      const form = { email: "wanted@example.com", password: "the owner's own words", data: { full_name: "Owner" } };
      const owner = await visitor(guarded).call("POST", "/auth/v1/signup", form);
      const headers = { authorization: `Bearer ${owner.body.access_token}` };
      const sendToOwner = () => visitor(guarded).call("POST", "/functions/v1/send-verification-email", {}, headers);
      expect((await sendToOwner()).status).toBe(200);
      guarded.clock.advance(60);
      const refused = await sendToOwner();
      expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
      expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(300);
    } finally {
      await guarded.close();
    }
  });

  it("refuses the eleventh code an hour for one address, also over new sign-ups", async () => {
    const guarded = await startApp({ environment: { RATE_LIMITS: "on" } });
    try {
      const email = "often@example.com";
      let someone: Person;
      for (let mail = 0; mail < 10; mail++) {
        someone = await unverifiedStudent(guarded, email);
        expect((await send(someone)).status).toBe(200);
        guarded.clock.advance(60);
      }
      const refused = await send(someone!);
      expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
    } finally {
      await guarded.close();
    }
  });
});

describe("an address that somebody else verified meanwhile", () => {
  it("refuses a code, counting the try, once another account verified the address", async () => {
    const first = await someoneWithCode();
    await app.sql(
      `with taken as (
         insert into accounts (email, password_hash, email_verified_at, created_at) values ($1, 'x', now(), now()) returning id
       ) insert into profiles (id, email, full_name) select id, $1, 'Owner' from taken`,
      [first.someone.email],
    );
    expect(await verify(first.someone, first.code)).toMatchObject(invalid);
    const rows = await app.sql("select verified, tries from verification_codes where user_id = $1", [first.someone.id]);
    expect(rows).toEqual([{ verified: false, tries: 1 }]);
  });

  it("is not what any other error says", async () => {
    const fails = transaction(app.deps.db, (tx) => unlessVerifiedElsewhere(tx, () => Promise.reject(new Error("disk full"))));
    await expect(fails).rejects.toThrow("disk full");
  });
});
