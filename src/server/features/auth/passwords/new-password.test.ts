import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { behindTransaction } from "../../../../../tests/support/database/behind-transaction.ts";
import { recoveryTokenFor } from "../../../../../tests/support/mails/received.ts";
import { goodPassword, outcome, signIn, student, visitor } from "../../../../../tests/support/people.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

const newPassword = "an even finer password";

// ACCOUNT-4.
describe("a password with the owner's words", () => {
  const signUp = (email: string, full_name: string, password: string) =>
    visitor(app).call("POST", "/auth/v1/signup", { email, password, data: { full_name } });

  it.each([".", "+", "_", "-"])("is refused when it is made of what follows %j in the address", async (sign) => {
    const answer = await signUp(`korrawit${sign}phongsatorn@example.com`, "Ann", "phongsatorn9");
    expect(outcome(answer)).toEqual([422, "weak_password"]);
  });

  it("is refused when it is made of a name of short words, without its blanks", async () => {
    expect(outcome(await signUp(`${randomUUID()}@example.com`, "Xo Qu Zi Wy", "xoquziwy9"))).toEqual([422, "weak_password"]);
  });

  it("is accepted when a word of two letters is all it has of them", async () => {
    expect((await signUp(`${randomUUID()}@example.com`, "Ann Ng", "nghusband")).status).toBe(200);
  });
});

// ACCOUNT-4, OWN-4
describe("a password that comes with a new name or address", () => {
  const [words, email] = ["Zxqvam Plomberik Krantzoff", "zxqvam.plomberik@krantzoff.example"];
  const decomposed = "Zxqv\u00E5m Pl\u00F3mb\u00EBrik".normalize("NFD");

  it.each([
    ["the new name", { password: words, data: { full_name: words } }],
    ["the new name, its accents typed as marks", { password: decomposed.normalize("NFC"), data: { full_name: decomposed } }],
    ["the new address", { password: email, email: ` ${email.toUpperCase()} ` }],
    ["the present name", { password: "SomchaiStudent", data: { full_name: words } }],
  ])("is refused when it is %s, and nothing changes", async (_what, form) => {
    const someone = await student(app);
    const answer = await someone.call("PUT", "/auth/v1/user", form);
    expect(outcome(answer)).toEqual([422, "weak_password"]);
    const { body } = await someone.call("GET", "/auth/v1/user");
    expect([body.user_metadata.full_name, body.new_email]).toEqual(["Somchai Student", undefined]);
  });
});

// ACCOUNT-6.
describe("a change of the password", () => {
  it("leaves the recovery links of other accounts valid", async () => {
    const [someone, other] = [await student(app), await student(app)];
    await visitor(app).call("POST", "/auth/v1/recover", { email: other.email });
    expect((await someone.call("PUT", "/auth/v1/user", { password: newPassword })).status).toBe(200);
    const token_hash = await recoveryTokenFor(app, other.email);
    expect((await visitor(app).call("POST", "/auth/v1/verify", { type: "recovery", token_hash })).status).toBe(200);
  });

  it("is refused as signed out when the account is deleted meanwhile", async () => {
    const leaver = await student(app);
    const isGuessable = async (): Promise<boolean> => {
      await app.sql("delete from accounts where id = $1", [leaver.id]);
      return false;
    };
    const site = await startApp({ beside: app, parts: { passwords: { ...app.deps.passwords, isGuessable } } });
    try {
      const headers = { authorization: `Bearer ${leaver.accessToken}` };
      const answer = await visitor(site).call("PUT", "/auth/v1/user", { password: newPassword }, headers);
      expect(outcome(answer)).toEqual([401, "session_not_found"]);
    } finally {
      await site.close();
    }
  });

  // ACCOUNT-9.
  it("is no comparison while the new password is too weak", async () => {
    const site = await startApp({ environment: { RATE_LIMITS: "on" } });
    try {
      const someone = await student(site);
      const change = (password: string) => someone.call("PUT", "/auth/v1/user", { password, current_password: goodPassword });
      for (let count = 0; count < 10; count++) expect(outcome(await change("short"))).toEqual([422, "weak_password"]);
      expect((await change(newPassword)).status).toBe(200);
    } finally {
      await site.close();
    }
  });

  it("is made once when two changes at once give the same current password", async () => {
    const someone = await student(app);
    const change = (password: string) => someone.call("PUT", "/auth/v1/user", { password, current_password: goodPassword });
    const passwords = ["the password of one tab", "the password of the other"];
    const locked = { text: "select 1 from accounts where id = $1 for update", values: [someone.id] };
    const answers = await behindTransaction(app, locked, () => Promise.all(passwords.map(change)), undefined, 2);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403]);
    const saved = passwords[answers.findIndex(({ status }) => status === 200)]!;
    expect((await signIn(app, someone.email, saved)).id).toBe(someone.id);
    const written = await app.sql("select 1 from audit_log where action = 'account.password-change' and subject_id = $1", [
      someone.id,
    ]);
    expect(written).toHaveLength(1);
  });
});
