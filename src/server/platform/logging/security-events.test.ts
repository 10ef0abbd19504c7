import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { adminEmail, adminPassword, startApp, type TestApp } from "../../../../tests/support/app.ts";
import { codeFor, recoveryTokenFor } from "../../../../tests/support/mails/received.ts";
import { goodPassword, student, unverifiedStudent, visitor } from "../../../../tests/support/people.ts";
import { turnOnSecondFactor } from "../../../../tests/support/second-factor.ts";
import { logSecurityEvent } from "./security-events.ts";

interface Line {
  level: number;
  reqId?: string;
  event?: string;
  [field: string]: unknown;
}

let app: TestApp;
let lines: string[];
const begin = async (level: string, environment = {}): Promise<void> => {
  lines = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  app = await startApp({ environment: { LOG_LEVEL: level, ...environment }, parts: { logStream } });
};
afterEach(() => app.close());

const events = (name?: string): Line[] =>
  lines.map((line) => JSON.parse(line) as Line).filter(({ event }) => event !== undefined && (name ?? event) === event);
const signIn = (email: string, password: string) =>
  visitor(app).call("POST", "/auth/v1/token?grant_type=password", { email, password });

// RUN-8.
describe("a security event", () => {
  beforeEach(() => begin("warn"));

  it("logs a failed sign-in with the request's id, the address and the account", async () => {
    const someone = await student(app);
    await signIn(someone.email, "not the password");
    await signIn("nobody@example.com", "not the password");
    expect(events()).toEqual([
      expect.objectContaining({
        level: 40,
        reqId: expect.any(String),
        event: "sign_in_failed",
        ip: "127.0.0.1",
        route: "POST /auth/v1/token",
        account: someone.id,
      }),
      expect.not.objectContaining({ account: expect.anything() }),
    ]);
    expect(new Set(events().map(({ reqId }) => reqId)).size).toBe(2);
  });

  it("logs refused access with the account that was refused", async () => {
    const someone = await student(app);
    await someone.call("GET", "/functions/v1/admin-users");
    await visitor(app).call("GET", "/api/me");
    const newcomer = await unverifiedStudent(app);
    await newcomer.call("GET", "/api/videos");
    const unverified = events("access_refused").map(({ account, route }) => ({ account, route }));
    expect(unverified).toEqual([
      { account: someone.id, route: "GET /functions/v1/*" },
      { account: undefined, route: "GET /api/*" },
      { account: newcomer.id, route: "GET /api/*" },
    ]);
  });

  it("logs recovery requests, bad links, refused sessions and wrong confirmations", async () => {
    await visitor(app).call("POST", "/auth/v1/recover", { email: adminEmail });
    await visitor(app).call("POST", "/auth/v1/verify", { type: "recovery", token_hash: "made-up" });
    await visitor(app).call("POST", "/auth/v1/token?grant_type=refresh_token", { refresh_token: "made-up" });
    const someone = await student(app);
    await someone.call("PUT", "/auth/v1/user", { password: "an even finer password", current_password: "wrong" });
    expect(events().map(({ event }) => event)).toEqual([
      "recovery_requested",
      "recovery_refused",
      "session_refused",
      "confirmation_failed",
    ]);
  });

  it("logs a step-up and a failed one", async () => {
    const someone = await student(app);
    await someone.call("POST", "/api/step-up", { current_password: "not the password" });
    await someone.call("POST", "/api/step-up", { current_password: goodPassword });
    expect(events().map(({ event }) => event)).toEqual(["confirmation_failed", "step_up"]);
    expect(events("step_up")[0]?.account).toBe(someone.id);
  });

  it("counts repeated events of one address instead of writing them", () => {
    const from = (ip: string) => ({ log: app.server.log, ip, method: "POST", routeOptions: { url: "/x" } as never });
    for (let guess = 0; guess < 20; guess++) logSecurityEvent(from("198.51.100.1"), "sign_in_failed");
    logSecurityEvent(from("203.0.113.1"), "sign_in_failed");
    expect(events().map(({ ip }) => ip)).toEqual([...Array<string>(3).fill("198.51.100.1"), "203.0.113.1"]);
  });
});

describe("a sign-in, at LOG_LEVEL=info", () => {
  beforeEach(() => begin("info"));

  it("logs each sign-in with the account and what proved it", async () => {
    const someone = await student(app);
    await signIn(someone.email, goodPassword);
    await visitor(app).call("POST", "/auth/v1/recover", { email: someone.email });
    const token_hash = await recoveryTokenFor(app, someone.email);
    await visitor(app).call("POST", "/auth/v1/verify", { type: "recovery", token_hash });
    await turnOnSecondFactor(app, someone);
    const signedIn = events("signed_in").map(({ account, by, level }) => ({ account, by, level }));
    expect(signedIn).toEqual(
      ["password", "recovery_link", "second_factor"].map((by) => ({ account: someone.id, by, level: 30 })),
    );
  });

  it("writes each account's first sign-ins from an address that many share", async () => {
    const people = [await student(app), await student(app), await student(app), await student(app)];
    for (const { email } of people) await signIn(email, goodPassword);
    expect(events("signed_in").map(({ account }) => account)).toEqual(people.map(({ id }) => id));
  });
});

it("logs a limit that was reached", async () => {
  await begin("warn", { RATE_LIMITS: "on" });
  for (let guess = 0; guess < 11; guess++) await signIn(adminEmail, `guess number ${guess}`);
  const [admin] = await app.sql<{ id: string }>("select id from accounts where role = 'admin'");
  expect(events("limit_reached")).toEqual([expect.objectContaining({ route: "POST /auth/v1/token", account: admin?.id })]);
});

describe("the log at its finest level", () => {
  beforeEach(() => begin("trace"));

  it("logs no query parameter, password, hash, token or code", async () => {
    const someone = await unverifiedStudent(app);
    await someone.call("POST", "/functions/v1/send-verification-email", {});
    const code = await codeFor(app, someone.email);
    await someone.call("POST", "/functions/v1/verify-email", { code: "999999" });
    await someone.call("POST", "/functions/v1/verify-email", { code });
    await visitor(app).call("POST", "/auth/v1/recover", { email: someone.email });
    const recovery = await recoveryTokenFor(app, someone.email);
    await visitor(app).call("POST", "/auth/v1/verify", { type: "recovery", token_hash: recovery });
    await signIn(adminEmail, adminPassword);
    await visitor(app).call("POST", `/auth/v1/token?grant_type=refresh_token`, { refresh_token: someone.refreshToken });
    for (const path of [
      "/",
      "/auth",
      "/nowhere",
      "/api/nowhere",
      "/auth/v1/nowhere",
      "/api/%ff",
      "/%",
      "/storage/v1/object/sign/x/y",
    ]) {
      for (const method of ["GET", "HEAD", "POST"]) {
        await fetch(`${app.url}${path}?recovery=QUERYSECRET&token=QUERYSECRET`, { method, redirect: "manual" });
      }
    }
    const [row] = await app.sql<{ password_hash: string }>("select password_hash from accounts where id = $1", [someone.id]);
    const log = lines.join("");
    expect(log).toContain('"url":"/auth/v1/…?…"');
    const secrets = ["QUERYSECRET", goodPassword, adminPassword, code, recovery, row!.password_hash.slice(-20)];
    for (const secret of [...secrets, someone.accessToken!, someone.refreshToken!]) expect(log).not.toContain(secret);
  });
});
