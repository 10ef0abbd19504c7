import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProductError } from "#domain/errors/messages";
import { lockKeys } from "#server/platform/db/locks";
import { JobError } from "#server/platform/workers/job-error";
import { behindTransaction } from "../../../../../tests/support/database/behind-transaction.ts";
import { adminEmail, adminPassword, startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { goodPassword, signIn, student, unverifiedStudent, visitor, type Person } from "../../../../../tests/support/people.ts";
import { turnOnSecondFactor } from "../../../../../tests/support/second-factor.ts";
import { createAdmin } from "./create-admin.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const withAdmin = (email: string, password: string | undefined) => ({
  ...app.deps,
  config: { ...app.deps.config, admin: { email, password } },
});
const roleOf = async (someone: Person): Promise<string> => (await someone.call("GET", "/api/me")).body.role;
const canSignIn = async (email: string, password: string): Promise<boolean> =>
  (await visitor(app).call("POST", "/auth/v1/token?grant_type=password", { email, password })).status === 200;

describe("the first start", () => {
  it("creates the admin with ADMIN_PASSWORD at the first start only", async () => {
    expect(await createAdmin(withAdmin(adminEmail, "some other password"))).toEqual({});
    const operator = await signIn(app, adminEmail, adminPassword);
    expect((await operator.call("GET", "/api/me")).body).toMatchObject({
      role: "admin",
      email_verified: true,
      full_name: "Administrator",
    });
    const rows = await app.sql("select action from audit_log where subject_id = $1 and action like 'admin.%'", [operator.id]);
    expect(rows).toContainEqual({ action: "admin.create" });
  });

  it("creates one admin with one random password when six processes start", async () => {
    const results = await Promise.all(Array.from({ length: 6 }, () => createAdmin(withAdmin("random@example.com", undefined))));
    const passwords = results.flatMap(({ password }) => (password === undefined ? [] : [password]));
    expect(passwords).toHaveLength(1);
    // 128 bits.
    expect(Buffer.from(passwords[0]!, "base64url")).toHaveLength(16);
    expect(await canSignIn("random@example.com", passwords[0]!)).toBe(true);
    expect(await app.sql("select email from accounts where role = 'admin'")).toEqual([{ email: "random@example.com" }]);
    await createAdmin(withAdmin(adminEmail, adminPassword));
  });

  it("waits for another process that chooses the admin", async () => {
    const choice = { text: "select pg_advisory_xact_lock($1)", values: [lockKeys.adminRole] };
    const become = () => createAdmin(withAdmin("random@example.com", adminPassword));
    expect(await behindTransaction(app, choice, become)).toEqual({});
    await createAdmin(withAdmin(adminEmail, adminPassword));
  });
});

it("makes nobody the admin while ADMIN_EMAIL and the database's role differ", async () => {
  const [owner, other] = [await signIn(app, adminEmail, adminPassword), await student(app)];
  const setRole = (id: string, role: string) => app.sql("update accounts set role = $2 where id = $1", [id, role]);
  await setRole(owner.id, "student");
  await setRole(other.id, "admin");
  try {
    for (const someone of [owner, other]) {
      expect(await roleOf(someone)).toBe("student");
      expect((await someone.call("GET", "/functions/v1/admin-users")).status).toBe(403);
    }
  } finally {
    await setRole(other.id, "student");
    await setRole(owner.id, "admin");
  }
  expect(await roleOf(owner)).toBe("admin");
});

describe("a weak ADMIN_PASSWORD", () => {
  it.each(["Password1!", "chosen.owner1", "pipwright", "aaaaaaaaaa", "long password ".repeat(20)])(
    "refuses a weak ADMIN_PASSWORD in one line and changes nothing: %s",
    async (password) => {
      await expect(createAdmin(withAdmin("chosen.owner@example.com", password))).rejects.toThrow(
        /^ADMIN_PASSWORD: must have 8 to 256 characters and not be easy to guess/,
      );
      expect(await app.sql("select email from accounts where role = 'admin'")).toEqual([{ email: adminEmail }]);
    },
  );

  it("passes on an error that is not about ADMIN_PASSWORD", async () => {
    for (const [thrown, expected] of [
      [new ProductError("too_many_requests", { retryAfter: 1 }), { code: "too_many_requests" }],
      // The start would take a lost worker's reply for one of the store of the files.
      [new ProductError("unavailable", { cause: new JobError("lost") }), { reason: "lost" }],
    ] as const) {
      const passwords = { ...app.deps.passwords, isGuessable: () => Promise.reject(thrown) };
      const deps = { ...withAdmin("chosen.owner@example.com", adminPassword), passwords };
      await expect(createAdmin(deps)).rejects.toMatchObject(expected);
    }
  });

  it("ignores ADMIN_PASSWORD once the admin exists", async () => {
    expect(await createAdmin(withAdmin(adminEmail, "Password1!"))).toEqual({});
  });
});

describe("another ADMIN_EMAIL", () => {
  it("makes the former admin a student and ends their sessions", async () => {
    const former = await signIn(app, adminEmail, adminPassword);
    const site = await startApp({ beside: app, environment: { ADMIN_EMAIL: "new-owner@example.com" } });
    try {
      expect((await former.call("GET", "/api/me")).status).toBe(401);
      const back = await signIn(site, adminEmail, adminPassword);
      expect(await roleOf(back)).toBe("student");
      expect((await back.call("GET", "/functions/v1/admin-users")).status).toBe(403);
      expect(await roleOf(await signIn(site, "new-owner@example.com", adminPassword))).toBe("admin");
    } finally {
      await site.close();
      await createAdmin(app.deps);
    }
  });

  it("promotes a student with a new password and ends their sessions", async () => {
    const chosen = await student(app);
    await app.sql(
      "insert into password_recoveries (token_hash, account_id, created_at, expires_at) values ('x', $1, now(), now() + interval '1 hour')",
      [chosen.id],
    );
    await chosen.call("PUT", "/auth/v1/user", { email: `new-${chosen.email}` });
    const { password } = await createAdmin(withAdmin(chosen.email, undefined));
    expect(await app.sql("select 1 from email_changes where account_id = $1", [chosen.id])).toEqual([]);
    expect((await chosen.call("GET", "/api/me")).status).toBe(401);
    expect(await canSignIn(chosen.email, goodPassword)).toBe(false);
    expect(await canSignIn(chosen.email, password!)).toBe(true);
    expect(await app.sql("select 1 from password_recoveries where account_id = $1", [chosen.id])).toEqual([]);
    await createAdmin(app.deps);
    expect(await canSignIn(chosen.email, password!)).toBe(true);
  });

  it("promotes a student without their second factor and their networks", async () => {
    const { person: chosen } = await turnOnSecondFactor(app, await student(app));
    await createAdmin(withAdmin(chosen.email, undefined));
    for (const table of ["mfa_factors", "familiar_networks"]) {
      expect(await app.sql(`select 1 from ${table} where account_id = $1`, [chosen.id])).toEqual([]);
    }
    await createAdmin(app.deps);
  });

  it("returns no password where ADMIN_PASSWORD is that of the new admin", async () => {
    expect(await createAdmin(withAdmin("second-owner@example.com", "a password of its own"))).toEqual({});
    expect(await canSignIn("second-owner@example.com", "a password of its own")).toBe(true);
    await createAdmin(app.deps);
  });

  // AUDIT-3.
  it("records who was created, promoted and demoted, with the roles before and after", async () => {
    const chosen = await student(app);
    await createAdmin(withAdmin(chosen.email, undefined));
    await createAdmin(withAdmin("next-owner@example.com", undefined));
    await createAdmin(app.deps);
    const entries = await app.sql(
      `select action, actor_id, actor_email, ip, subject_type, details from audit_log
       where details ->> 'email' in ($1, 'next-owner@example.com') order by id`,
      [chosen.email],
    );
    const byTheServer = { actor_id: null, actor_email: "the server", ip: "", subject_type: "account" };
    const next = { email: "next-owner@example.com" };
    expect(entries).toEqual([
      { ...byTheServer, action: "admin.promote", details: { email: chosen.email, before: "student", after: "admin" } },
      { ...byTheServer, action: "admin.demote", details: { email: chosen.email, before: "admin", after: "student" } },
      { ...byTheServer, action: "admin.create", details: { ...next, after: "admin" } },
      { ...byTheServer, action: "admin.demote", details: { ...next, before: "admin", after: "student" } },
    ]);
  });

  it("deletes an unfinished sign-up of the new admin address", async () => {
    const squatter = await unverifiedStudent(app);
    await createAdmin(withAdmin(squatter.email, undefined));
    expect((await squatter.call("GET", "/api/me")).status).toBe(401);
    expect(await canSignIn(squatter.email, goodPassword)).toBe(false);
    await createAdmin(app.deps);
  });
});
