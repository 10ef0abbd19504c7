import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { adminEmail, adminPassword, startApp, type TestApp } from "../../../../tests/support/app.ts";
import { admin, goodPassword, outcome, signIn, student, unverifiedStudent, visitor } from "../../../../tests/support/people.ts";
import type { RateLimits } from "../../platform/http/rate-limit.ts";

const hashes = vi.hoisted(() => ({ verified: 0, running: 0, most: 0, held: undefined as Promise<boolean> | undefined }));
vi.mock("@node-rs/argon2", async (original) => {
  const real = await original<typeof import("@node-rs/argon2")>();
  return {
    ...real,
    verify: async (...given: Parameters<typeof real.verify>) => {
      hashes.verified++;
      hashes.most = Math.max(hashes.most, ++hashes.running);
      return (hashes.held ?? real.verify(...given)).finally(() => hashes.running--);
    },
  };
});

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(() => {
  hashes.verified = 0;
  hashes.most = 0;
});

const tryToSignIn = (email: string, password: string, on = app) =>
  visitor(on).call("POST", "/auth/v1/token?grant_type=password", { email, password });

describe("signing in", () => {
  it("signs in with the address in any letter case", async () => {
    const someone = await student(app);
    const answer = await tryToSignIn(` ${someone.email.toUpperCase()} `, goodPassword);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body.user).toMatchObject({ id: someone.id, email_confirmed_at: expect.any(String) });
    const [row] = await app.sql<{ last_sign_in_at: Date }>("select last_sign_in_at from accounts where id = $1", [someone.id]);
    expect(row?.last_sign_in_at.toISOString()).toBe(answer.body.user.last_sign_in_at);
  });

  it("a sign-in replies with second factors and an address that waits for its code", async () => {
    const someone = await student(app);
    const userOf = async () => (await tryToSignIn(someone.email, goodPassword)).body.user;
    expect(await userOf()).toMatchObject({ factors: [] });
    const address = `new-${randomUUID()}@example.com`;
    await someone.call("PUT", "/auth/v1/user", { email: address });
    expect(await userOf()).toMatchObject({ factors: [], new_email: address });
    const other = await student(app);
    const { id } = (await other.call("POST", "/auth/v1/factors", { factor_type: "totp" })).body;
    const { user } = (await tryToSignIn(other.email, goodPassword)).body;
    expect(user).toMatchObject({ factors: [{ id, status: "unverified" }] });
  });

  it("replies alike to a wrong password, an unknown address and a malformed one", async () => {
    const someone = await student(app);
    const answers = [
      await tryToSignIn(someone.email, "not the password"),
      await tryToSignIn(`nobody-${randomUUID()}@example.com`, goodPassword),
      await tryToSignIn("nobody", goodPassword),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body).toEqual({ code: "invalid_credentials", message: "Invalid login credentials" });
    }
  });

  it("hashes once for any address, twice for an unfinished sign-up", async () => {
    const count = async (email: string): Promise<number> => {
      hashes.verified = 0;
      await tryToSignIn(email, "some other password");
      return hashes.verified;
    };
    const known = await student(app);
    expect(await count(known.email)).toBe(1);
    expect(await count(`nobody-${randomUUID()}@example.com`)).toBe(1);

    const unfinished = await unverifiedStudent(app);
    await unverifiedStudent(app, known.email);
    expect(await count(unfinished.email)).toBe(2);
    expect(await count(known.email)).toBe(2);
  });

  it("compares a sign-up's password with each unfinished one of the address once", async () => {
    const { email } = await unverifiedStudent(app);
    hashes.verified = 0;
    const form = { email, password: "another long password", data: { full_name: "Ann" } };
    expect((await visitor(app).call("POST", "/auth/v1/signup", form)).status).toBe(200);
    expect(hashes.verified).toBe(1);
  });

  it("hashes at most two passwords at a time", async () => {
    const someone = await student(app);
    const answers = await Promise.all(Array.from({ length: 20 }, () => tryToSignIn(someone.email, goodPassword)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(hashes.most).toBe(2);
  });

  it("refuses a sign-in for five seconds while two passwords are hashed and 200 wait", async () => {
    let goOn = (_isSame: boolean): void => {};
    hashes.held = new Promise((resolve) => (goOn = resolve));
    const answers = Array.from({ length: 203 }, () => tryToSignIn(`nobody-${randomUUID()}@example.com`, goodPassword));
    const refused = await Promise.race(answers);
    goOn(false);
    const hashed = (await Promise.all(answers)).filter(({ status }) => status === 400);
    hashes.held = undefined;
    expect([refused.status, refused.headers.get("retry-after"), hashed.length]).toEqual([503, "5", 202]);
  });

  it("accepts an accented password in either Unicode composition", async () => {
    const email = `new-${randomUUID()}@example.com`;
    await visitor(app).call("POST", "/auth/v1/signup", {
      email,
      password: "cafe\u0301 au lait",
      data: { full_name: "Ann" },
    });
    expect((await tryToSignIn(email, "caf\u00e9 au lait")).status).toBe(200);
  });

  it("refuses a sign-in with malformed JSON, a missing field or an unknown grant", async () => {
    const broken = await fetch(`${app.url}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{",
    });
    expect([broken.status, (await broken.json()).code]).toEqual([400, "validation_failed"]);
    for (const path of ["/auth/v1/token?grant_type=password", "/auth/v1/token?grant_type=magic", "/auth/v1/token"]) {
      expect(outcome(await visitor(app).call("POST", path, { email: adminEmail }))).toEqual([400, "validation_failed"]);
    }
  });

  it("records every sign-in of the admin in the audit log", async () => {
    const operator = await admin(app);
    const rows = await app.sql("select actor_email, ip, details from audit_log where action = 'admin.sign-in'");
    expect(rows.at(-1)).toEqual({ actor_email: adminEmail, ip: "127.0.0.1", details: { by: "password" } });
    expect((await operator.call("GET", "/api/me")).body).toMatchObject({ role: "admin", email_verified: true });
  });

  // AUDIT-1
  it("signs the admin in only with an entry in the audit log", async () => {
    const refused = await startApp();
    try {
      // Once without, so that the network is familiar and has nothing to be written.
      await admin(refused);
      const sessions = () => refused.sql("select id from sessions");
      const before = await sessions();
      // The site's own role may not change the log.
      const owner = new pg.Client({ ...inject("postgres"), database: refused.deps.db.$client.options.database });
      await owner.connect();
      await owner.query("alter table audit_log add constraint full_disk check (action <> 'admin.sign-in') not valid");
      await owner.end();
      expect((await tryToSignIn(adminEmail, adminPassword, refused)).status).toBe(500);
      expect(await sessions()).toEqual(before);
    } finally {
      await refused.close();
    }
  });

  // AUDIT-3.
  it("records the admin's wrong passwords and slowed tries once in ten minutes", async () => {
    const guarded = await startApp({ environment: { RATE_LIMITS: "on" } });
    try {
      await tryToSignIn((await student(guarded)).email, "wrong", guarded);
      for (let guess = 0; guess < 12; guess++) await tryToSignIn(adminEmail, `guess number ${guess}`, guarded);
      const rows = await guarded.sql("select actor_id, actor_email, action, ip from audit_log where action like 'admin.sign%'");
      const somebody = { actor_id: null, actor_email: "somebody", ip: "127.0.0.1" };
      expect(rows).toEqual([
        { ...somebody, action: "admin.sign-in-failed" },
        { ...somebody, action: "admin.sign-in-limited" },
      ]);
    } finally {
      await guarded.close();
    }
  });
});

// AUDIT-3
it("records no slowed try of the admin when the limits cannot be counted", async () => {
  const consume = vi.fn<RateLimits["consume"]>().mockRejectedValueOnce(new Error("The counters cannot be read."));
  const site = await startApp({ beside: app, parts: { limits: { ...app.deps.limits, consume } } });
  try {
    const limited = () => app.sql("select id from audit_log where action = 'admin.sign-in-limited'");
    const before = await limited();
    expect((await tryToSignIn(adminEmail, adminPassword, site)).status).toBe(500);
    expect(await limited()).toEqual(before);
  } finally {
    await site.close();
  }
});

describe("guessing", () => {
  it("refuses the eleventh sign-in to an account from one network", async () => {
    const guarded = await startApp({ environment: { RATE_LIMITS: "on" } });
    try {
      for (let guess = 0; guess < 10; guess++) {
        expect((await tryToSignIn(adminEmail, `guess number ${guess}`, guarded)).status).toBe(400);
      }
      const refused = await tryToSignIn(adminEmail, adminPassword, guarded);
      expect(refused.status).toBe(429);
      expect(refused.body.code).toBe("over_request_rate_limit");
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);

      const colleague = await student(guarded);
      expect((await signIn(guarded, colleague.email, goodPassword)).id).toBe(colleague.id);
      const keys = await guarded.sql<{ key: string }>("select key from rate_limits");
      expect(keys.some(({ key }) => key.includes("@"))).toBe(false);
    } finally {
      await guarded.close();
    }
  });

  it("lets thirty people sign up and sign in from one IP address", async () => {
    const guarded = await startApp({ environment: { RATE_LIMITS: "on" } });
    try {
      const office = await Promise.all(Array.from({ length: 30 }, () => student(guarded)));
      for (const { email } of office) expect((await tryToSignIn(email, goodPassword, guarded)).status).toBe(200);
    } finally {
      await guarded.close();
    }
  });
});
