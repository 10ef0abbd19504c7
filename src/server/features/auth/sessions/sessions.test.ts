import { createHash } from "node:crypto";
import { decodeProtectedHeader, generateKeyPair, importJWK, jwtVerify, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { admin, goodPassword, outcome, signIn, student, visitor, type Person } from "../../../../../tests/support/people.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const refresh = (token: string | undefined) =>
  visitor(app).call("POST", "/auth/v1/token?grant_type=refresh_token", { refresh_token: token });
const withToken = (token: string) => visitor(app).call("GET", "/auth/v1/user", undefined, { authorization: `Bearer ${token}` });
const isSignedIn = async (someone: Person): Promise<boolean> => (await someone.call("GET", "/api/me")).status === 200;

describe("an access token", () => {
  it("signs access tokens as ES256 JWTs of ten minutes, by the published key", async () => {
    const someone = await student(app);
    const jwks = await visitor(app).call("GET", "/auth/v1/.well-known/jwks.json");
    expect(jwks.headers.get("cache-control")).toBe("public, max-age=600");
    expect(jwks.body.keys).toHaveLength(1);
    expect(jwks.body.keys[0]).not.toHaveProperty("d");
    const { payload, protectedHeader } = await jwtVerify(someone.accessToken!, await importJWK(jwks.body.keys[0]));
    expect(protectedHeader).toMatchObject({ alg: "ES256", typ: "JWT", kid: jwks.body.keys[0].kid });
    expect(payload).toMatchObject({ sub: someone.id, email: someone.email, role: "authenticated", aud: "authenticated" });
    expect(payload).toMatchObject({ iss: "/auth/v1", aal: "aal1", amr: [{ method: "password", timestamp: payload.iat }] });
    expect(payload.exp! - payload.iat!).toBe(600);
  });

  it("refuses access tokens that are forged, unsigned, changed or malformed", async () => {
    const someone = await student(app);
    const [header, body, signature] = someone.accessToken!.split(".") as [string, string, string];
    const claims = JSON.parse(Buffer.from(body, "base64url").toString());
    const { privateKey } = await generateKeyPair("ES256");
    const { kid } = decodeProtectedHeader(someone.accessToken!);
    const foreign = await new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: kid! }).sign(privateKey);
    const changed = Buffer.from(JSON.stringify({ ...claims, sub: (await admin(app)).id })).toString("base64url");
    const shared = await new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256", kid: kid! })
      .sign(new TextEncoder().encode(JSON.stringify(app.deps.secrets.publicJwk)));
    const forgeries = [foreign, new UnsecuredJWT(claims).encode(), `${header}.${changed}.${signature}`, shared, "nonsense"];
    for (const token of forgeries) {
      expect(outcome(await withToken(token))).toEqual([401, "bad_jwt"]);
    }
    expect((await visitor(app).call("GET", "/auth/v1/user")).body.code).toBe("no_authorization");
  });

  it("takes a token behind the word Bearer, in any letter case, and nothing around it", async () => {
    const { accessToken } = await student(app);
    const statusOf = async (authorization: string) =>
      (await visitor(app).call("GET", "/api/me", undefined, { authorization })).status;
    for (const good of [`Bearer ${accessToken}`, `bearer ${accessToken}`]) expect(await statusOf(good)).toBe(200);
    for (const bad of [`X Bearer ${accessToken}`, `Bearer ${accessToken} x`, `Bearer${accessToken}`, `${accessToken}`]) {
      expect(await statusOf(bad), bad.slice(0, 12)).toBe(401);
    }
  });

  it("is returned with the account of GET /auth/v1/user", async () => {
    const someone = await student(app);
    await app.sql("delete from email_changes");
    await someone.call("PUT", "/auth/v1/user", { email: `new-${someone.email}` });
    const form = { email: someone.email, password: goodPassword };
    const { user, access_token } = (await visitor(app).call("POST", "/auth/v1/token?grant_type=password", form)).body;
    expect(user.new_email).toBe(`new-${someone.email}`);
    expect(user).toEqual((await withToken(access_token)).body);
  });

  it("refuses access tokens for another audience, issuer or account", async () => {
    const someone = await student(app);
    const claims = JSON.parse(Buffer.from(someone.accessToken!.split(".")[1]!, "base64url").toString());
    const { signingKey, publicJwk } = app.deps.secrets;
    const signed = (changed: object) =>
      new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg: "ES256", kid: publicJwk.kid }).sign(signingKey);
    expect((await withToken(await signed({}))).status).toBe(200);
    for (const changed of [{ aud: "mail" }, { aud: undefined }, { iss: "https://evil.example/auth/v1" }, { iss: undefined }]) {
      expect((await withToken(await signed(changed))).body.code, JSON.stringify(changed)).toBe("bad_jwt");
    }
    const other = await student(app);
    expect((await withToken(await signed({ sub: other.id }))).body.code).toBe("session_not_found");
  });

  it("refuses an access token after ten minutes, also one seen before", async () => {
    const someone = await student(app);
    expect(await isSignedIn(someone)).toBe(true);
    app.clock.advance(599);
    expect(await isSignedIn(someone)).toBe(true);
    app.clock.advance(2);
    expect(outcome(await withToken(someone.accessToken!))).toEqual([401, "bad_jwt"]);
    expect((await someone.call("GET", "/api/me")).body).toEqual({
      code: "not_signed_in",
      error: "Please sign in to continue.",
    });
  });

  it("reads the tier and the session of an access token at every request", async () => {
    const someone = await student(app);
    await app.sql("update profiles set subscription_status = 'advanced' where id = $1", [someone.id]);
    expect((await someone.call("GET", "/api/me")).body.subscription_status).toBe("advanced");
    await app.sql("delete from accounts where id = $1", [someone.id]);
    expect(outcome(await withToken(someone.accessToken!))).toEqual([401, "session_not_found"]);
  });
});

describe("a refresh token", () => {
  it("exchanges a refresh token for a new pair and stores only its hash", async () => {
    const someone = await student(app);
    const answer = await refresh(someone.refreshToken);
    expect(answer.status).toBe(200);
    expect(answer.body.refresh_token).not.toBe(someone.refreshToken);
    expect((await withToken(answer.body.access_token)).body.id).toBe(someone.id);
    const stored = await app.sql<{ token_hash: Buffer }>("select token_hash from refresh_tokens");
    for (const token of [someone.refreshToken!, answer.body.refresh_token]) {
      expect(stored).toContainEqual({ token_hash: createHash("sha256").update(token).digest() });
    }
    expect(stored.every(({ token_hash }) => token_hash.length === 32)).toBe(true);
  });

  it("accepts a used refresh token again within ten seconds", async () => {
    const someone = await student(app);
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(someone.refreshToken)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    app.clock.advance(10);
    const late = await refresh(someone.refreshToken);
    expect(late.status).toBe(200);
    for (const { body } of [...answers, late]) expect((await refresh(body.refresh_token)).status).toBe(200);
  });

  it("counts the ten seconds from the first use of a refresh token", async () => {
    const someone = await student(app);
    const statuses = [];
    for (const seconds of [0, 6, 5]) {
      app.clock.advance(seconds);
      statuses.push((await refresh(someone.refreshToken)).status);
    }
    expect(statuses).toEqual([200, 200, 400]);
  });

  it("ends the whole session when a refresh token is used again later", async () => {
    const someone = await student(app);
    const elsewhere = await signIn(app, someone.email, goodPassword);
    const next = await refresh(someone.refreshToken);
    app.clock.advance(11);
    const stolen = await refresh(someone.refreshToken);
    expect(stolen.status).toBe(400);
    expect(stolen.body).toEqual({ code: "refresh_token_not_found", message: "Invalid Refresh Token" });
    expect((await refresh(next.body.refresh_token)).status).toBe(400);
    expect((await withToken(next.body.access_token)).body.code).toBe("session_not_found");
    expect(await isSignedIn(elsewhere)).toBe(true);
  });

  it("ends the session when a token used under a clock that was ahead is used again", async () => {
    const someone = await student(app);
    app.clock.set(3600);
    const next = await refresh(someone.refreshToken);
    app.clock.set(-3600);
    expect((await refresh(someone.refreshToken)).status).toBe(400);
    expect((await refresh(next.body.refresh_token)).status).toBe(400);
  });

  it.each(["nonsense", "", "x".repeat(43)])("refuses a malformed refresh token: %s", async (token) => {
    expect(outcome(await refresh(token))).toEqual([400, "refresh_token_not_found"]);
  });

  it("refuses to renew a session after 30 days", async () => {
    const someone = await student(app);
    let token = someone.refreshToken;
    for (let day = 0; day < 29; day++) {
      app.clock.advance(24 * 3600);
      token = (await refresh(token)).body.refresh_token;
    }
    const last = await refresh(token);
    expect(last.status).toBe(200);
    app.clock.advance(24 * 3600 + 1);
    expect((await refresh(last.body.refresh_token)).status).toBe(400);
  });
});

// KEEP-1.
it("deletes an account's ended sessions when it signs in again, and no others", async () => {
  const [someone, neighbour] = [await student(app), await student(app)];
  const countOf = async ({ id }: Person): Promise<number> =>
    (await app.sql("select 1 from sessions where account_id = $1", [id])).length;
  await (await signIn(app, neighbour.email, goodPassword)).call("POST", "/auth/v1/logout?scope=local");
  await (await signIn(app, someone.email, goodPassword)).call("POST", "/auth/v1/logout?scope=local");
  const [before, others] = [await countOf(someone), await countOf(neighbour)];
  await signIn(app, someone.email, goodPassword);
  expect([await countOf(someone), await countOf(neighbour)]).toEqual([before, others]);
  app.clock.advance(30 * 24 * 3600);
  await signIn(app, someone.email, goodPassword);
  expect([await countOf(someone), await countOf(neighbour)]).toEqual([1, others]);
});

describe("signing out", () => {
  it("signs out of this session, the others, or all", async () => {
    const here = await student(app);
    const there = await signIn(app, here.email, goodPassword);
    const everywhere = await signIn(app, here.email, goodPassword);

    expect((await there.call("POST", "/auth/v1/logout?scope=local")).status).toBe(204);
    expect([await isSignedIn(here), await isSignedIn(there), await isSignedIn(everywhere)]).toEqual([true, false, true]);

    expect((await here.call("POST", "/auth/v1/logout?scope=others")).status).toBe(204);
    expect([await isSignedIn(here), await isSignedIn(everywhere)]).toEqual([true, false]);

    const again = await signIn(app, here.email, goodPassword);
    expect((await here.call("POST", "/auth/v1/logout")).status).toBe(204);
    expect([await isSignedIn(here), await isSignedIn(again)]).toEqual([false, false]);
    expect((await refresh(again.refreshToken)).body.code).toBe("refresh_token_not_found");
  });

  it("replies 401 session_not_found to a sign-out of an ended session", async () => {
    const someone = await student(app);
    await someone.call("POST", "/auth/v1/logout");
    expect(outcome(await someone.call("POST", "/auth/v1/logout"))).toEqual([401, "session_not_found"]);
  });

  it("refuses a sign-out with an unknown scope", async () => {
    const someone = await student(app);
    expect((await someone.call("POST", "/auth/v1/logout?scope=planet")).status).toBe(400);
    expect(await isSignedIn(someone)).toBe(true);
  });

  it("closes the open event stream of a session that signs out", async () => {
    const someone = await student(app);
    const stream = await fetch(`${app.url}/api/events`, { headers: { authorization: `Bearer ${someone.accessToken}` } });
    expect(stream.status).toBe(200);
    await someone.call("POST", "/auth/v1/logout?scope=local");
    await expect(stream.text()).resolves.toContain("ready");
  });
});
