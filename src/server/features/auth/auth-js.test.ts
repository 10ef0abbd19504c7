import { AuthClient, type AuthChangeEvent } from "@supabase/auth-js";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { codeFor, recoveryTokenFor } from "../../../../tests/support/mails/received.ts";
import { goodPassword, student, visitor } from "../../../../tests/support/people.ts";
import { codeOf } from "../../../../tests/support/second-factor.ts";
import { soon } from "../../../../tests/support/soon.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Returns a browser: the real client with its own storage, and the events it sent to the page. */
async function browser() {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  const client = new AuthClient({
    url: `${app.url}/auth/v1`,
    storage,
    storageKey: `sb-test-${randomUUID()}`,
    autoRefreshToken: false,
    detectSessionInUrl: false,
  });
  const events: AuthChangeEvent[] = [];
  client.onAuthStateChange((event) => void events.push(event));
  await client.initialize();
  await soon(() => expect(events).toEqual(["INITIAL_SESSION"]));
  events.length = 0;
  return { client, events, stored };
}

describe("auth-js 2.103.0 against /auth/v1", () => {
  it("lets auth-js sign up, renew its tokens and sign out", async () => {
    const { client, events, stored } = await browser();
    const email = `new-${randomUUID()}@example.com`;
    const signedUp = await client.signUp({ email, password: goodPassword, options: { data: { full_name: "Ann Example" } } });
    expect(signedUp.error).toBeNull();
    expect(signedUp.data.user?.user_metadata["full_name"]).toBe("Ann Example");
    const headers = { authorization: `Bearer ${signedUp.data.session?.access_token}` };
    await visitor(app).call("POST", "/functions/v1/send-verification-email", { email, fullName: "Ann Example" }, headers);
    const verified = await visitor(app).call(
      "POST",
      "/functions/v1/verify-email",
      { code: await codeFor(app, email) },
      headers,
    );
    expect(verified.body).toEqual({ verified: true });

    const renewed = await client.refreshSession();
    expect(renewed.error).toBeNull();
    expect(renewed.data.user?.email_confirmed_at).toBeDefined();
    expect((await client.getUser()).data.user?.email).toBe(email);
    expect((await client.getClaims()).data?.claims.sub).toBe(signedUp.data.user?.id);

    expect((await client.signOut()).error).toBeNull();
    expect((await client.getSession()).data.session).toBeNull();
    expect(stored.size).toBe(0);
    expect(events).toEqual(["SIGNED_IN", "TOKEN_REFRESHED", "SIGNED_OUT"]);
  });

  it("lets auth-js read a wrong password, a weak one and the reserved address", async () => {
    const { client } = await browser();
    const wrong = await client.signInWithPassword({ email: "nobody@example.com", password: goodPassword });
    expect(wrong.error).toMatchObject({ name: "AuthApiError", status: 400, code: "invalid_credentials" });
    const weak = await client.signUp({ email: "new@example.com", password: "aaa", options: { data: { full_name: "Ann" } } });
    expect(weak.error).toMatchObject({ name: "AuthWeakPasswordError", reasons: ["length", "characters"] });
    const reserved = await client.signUp({ email: "admin@example.com", password: goodPassword });
    expect(reserved.error).toMatchObject({
      code: "email_reserved",
      message: "This email is reserved for admin access. Please use the login form instead.",
    });
  });

  it("lets auth-js sign in by password and by recovery link, then set a password", async () => {
    const someone = await student(app);
    const { client, events } = await browser();
    expect((await client.signInWithPassword({ email: someone.email, password: goodPassword })).error).toBeNull();
    expect((await client.signOut({ scope: "local" })).error).toBeNull();

    expect((await client.resetPasswordForEmail(someone.email)).error).toBeNull();
    const token_hash = await recoveryTokenFor(app, someone.email);
    const opened = await client.verifyOtp({ type: "recovery", token_hash });
    expect(opened.data.user?.id).toBe(someone.id);
    expect((await client.updateUser({ password: goodPassword })).error).toMatchObject({ code: "same_password" });
    expect((await client.updateUser({ password: "an even finer password" })).error).toBeNull();
    expect(events).toEqual(["SIGNED_IN", "SIGNED_OUT", "PASSWORD_RECOVERY", "USER_UPDATED"]);

    const again = await client.verifyOtp({ type: "recovery", token_hash });
    expect(again.error).toMatchObject({ status: 403, code: "otp_expired" });
  });

  it("makes auth-js forget its session when a refresh token is refused", async () => {
    const someone = await student(app);
    const { client, events, stored } = await browser();
    await client.signInWithPassword({ email: someone.email, password: goodPassword });
    await app.sql("update sessions set revoked_at = now() where account_id = $1", [someone.id]);
    const refused = await client.refreshSession();
    expect(refused.error).toMatchObject({ code: "refresh_token_not_found", message: "Invalid Refresh Token" });
    expect(stored.size).toBe(0);
    expect(events).toEqual(["SIGNED_IN", "SIGNED_OUT"]);
  });

  it("lets auth-js enroll, verify and unenroll a second factor, and use a code", async () => {
    const someone = await student(app);
    const { client, events } = await browser();
    await client.signInWithPassword({ email: someone.email, password: goodPassword });
    const enrolled = await client.mfa.enroll({ factorType: "totp", friendlyName: "Phone", issuer: "Course" });
    expect(enrolled.error).toBeNull();
    const { id: factorId, totp } = enrolled.data!;
    expect(totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/);
    expect((await client.mfa.listFactors()).data).toMatchObject({ all: [{ id: factorId, status: "unverified" }], totp: [] });

    const wrong = await client.mfa.challengeAndVerify({ factorId, code: "000000" });
    expect(wrong.error).toMatchObject({ name: "AuthApiError", status: 422, code: "mfa_verification_failed" });
    const challenge = await client.mfa.challenge({ factorId });
    const code = codeOf(totp.secret, app.clock.now());
    const verified = await client.mfa.verify({ factorId, challengeId: challenge.data!.id, code });
    expect(verified.error).toBeNull();
    expect(events).toEqual(["SIGNED_IN", "MFA_CHALLENGE_VERIFIED"]);
    expect((await client.mfa.listFactors()).data?.totp).toMatchObject([{ id: factorId, friendly_name: "Phone" }]);
    expect((await client.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: "aal2",
      nextLevel: "aal2",
      currentAuthenticationMethods: [{ method: "totp" }, { method: "password" }],
    });
    expect((await client.refreshSession()).data.user?.factors).toHaveLength(1);

    const { client: phone } = await browser();
    await phone.signInWithPassword({ email: someone.email, password: goodPassword });
    const level = (await phone.mfa.getAuthenticatorAssuranceLevel()).data;
    expect(level).toMatchObject({ currentLevel: "aal1", nextLevel: "aal2" });
    expect((await phone.mfa.unenroll({ factorId })).error).toMatchObject({ code: "insufficient_aal" });
    const [recoveryCode = ""] = (enrolled.data as unknown as { recovery_codes: string[] }).recovery_codes;
    expect((await phone.mfa.challengeAndVerify({ factorId, code: recoveryCode })).error).toBeNull();
    expect((await phone.mfa.unenroll({ factorId })).data).toEqual({ id: factorId });
    await phone.refreshSession();
    expect((await phone.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: "aal1", nextLevel: "aal1" });
  });

  it("lets auth-js change name and address, and read what is refused", async () => {
    const someone = await student(app);
    const { client, events } = await browser();
    await client.signInWithPassword({ email: someone.email, password: goodPassword });
    const address = `moved-${randomUUID()}@example.com`;
    const named = await client.updateUser({ data: { full_name: "Nok New" }, email: address });
    expect(named.data.user).toMatchObject({ user_metadata: { full_name: "Nok New" }, new_email: address });
    expect(named.data.user?.identities).toHaveLength(1);
    expect(named.data.user?.updated_at).toBeDefined();
    app.clock.advance(301);
    expect((await client.resend({ type: "email_change", email: someone.email })).error).toBeNull();
    const token = await codeFor(app, address);
    const moved = await client.verifyOtp({ type: "email_change", email: address, token });
    expect([moved.error, moved.data.user?.email, moved.data.session]).toEqual([null, address, null]);
    expect((await client.refreshSession()).data.user?.email).toBe(address);
    expect(events).toEqual(["SIGNED_IN", "USER_UPDATED", "TOKEN_REFRESHED"]);
    expect((await client.updateUser({ phone: "+66812345678" })).error).toMatchObject({ code: "phone_provider_disabled" });
    expect((await client.reauthenticate()).error).toMatchObject({ name: "AuthApiError", status: 404, code: "not_found" });
  });

  it("lets auth-js see by getUser that its session was ended elsewhere", async () => {
    const someone = await student(app);
    const { client, stored } = await browser();
    await client.signInWithPassword({ email: someone.email, password: goodPassword });
    await app.sql("delete from accounts where id = $1", [someone.id]);
    expect((await client.getUser()).error).toMatchObject({ name: "AuthSessionMissingError" });
    expect(stored.size).toBe(0);
    expect((await client.signOut()).error).toBeNull();
  });
});
