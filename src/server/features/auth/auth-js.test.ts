import { AuthClient, type AuthChangeEvent } from "@supabase/auth-js";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { codeFor, recoveryTokenFor } from "../../../../tests/support/mails.ts";
import { goodPassword, student, visitor } from "../../../../tests/support/people.ts";

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
  await vi.waitFor(() => expect(events).toEqual(["INITIAL_SESSION"]));
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
