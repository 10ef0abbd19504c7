import { afterEach, beforeEach, expect, it } from "vitest";
import { adminEmail, adminPassword, startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { admin, signIn, visitor } from "../../../../../tests/support/people.ts";
import { resetAdminPassword, resetSecondFactor } from "./reset-admin.ts";

let app: TestApp;
beforeEach(async () => {
  app = await startApp();
});
afterEach(() => app.close());

const lastAudit = async () => {
  const [row] = await app.sql("select actor_email, action, details from audit_log order by id desc limit 1");
  return row;
};

/** A change of address from the time when the admin was a student. */
const requestChange = (id: string) =>
  app.sql("insert into email_changes values ($1, 'thief@example.com', '', now(), now() + interval '10 minutes')", [id]);

const addPhone = (id: string) =>
  app.sql(
    `insert into mfa_factors (account_id, friendly_name, sealed_secret, created_at, verified_at) values ($1, 'phone', '', now(), now())`,
    [id],
  );

// ACCESS-7, OWN-3.
it("sets a random password, ends sessions and links, and writes an audit entry", async () => {
  const before = await admin(app);
  await visitor(app).call("POST", "/auth/v1/recover", { email: adminEmail });
  await requestChange(before.id);
  const password = await resetAdminPassword(app.deps);
  // 128 bits.
  expect(Buffer.from(password, "base64url")).toHaveLength(16);
  expect(await lastAudit()).toEqual({
    actor_email: "the server's shell",
    action: "admin.reset-password",
    details: { email: adminEmail },
  });
  expect((await before.call("GET", "/api/me")).status).toBe(401);
  expect(await app.sql("select 1 from password_recoveries")).toEqual([]);
  expect(await app.sql("select 1 from email_changes")).toEqual([]);
  const old = { email: adminEmail, password: adminPassword };
  expect((await visitor(app).call("POST", "/auth/v1/token?grant_type=password", old)).status).toBe(400);
  expect((await signIn(app, adminEmail, password)).id).toBe(before.id);
});

it("removes the admin's second factor, ends sessions and writes an audit entry", async () => {
  const before = await admin(app);
  await addPhone(before.id);
  await requestChange(before.id);
  await resetSecondFactor(app.deps);
  expect(await app.sql("select 1 from email_changes")).toEqual([]);
  expect(await lastAudit()).toMatchObject({ action: "admin.reset-2fa", details: { email: adminEmail } });
  expect(await app.sql("select 1 from mfa_factors")).toEqual([]);
  expect((await before.call("GET", "/api/me")).status).toBe(401);
  expect((await admin(app)).id).toBe(before.id);
});

it("changes nothing when ADMIN_EMAIL is not the admin's or there is no admin", async () => {
  const { config } = app.deps;
  const other = { ...app.deps, config: { ...config, admin: { ...config.admin, email: "other@example.com" } } };
  const { id } = await admin(app);
  await visitor(app).call("POST", "/auth/v1/recover", { email: adminEmail });
  await requestChange(id);
  await addPhone(id);
  const tables = ["accounts", "sessions", "refresh_tokens", "password_recoveries", "email_changes", "mfa_factors", "audit_log"];
  const rows = () => Promise.all(tables.map((table) => app.sql(`select * from ${table} order by 1`)));
  const reset = [resetAdminPassword, resetSecondFactor];

  const before = await rows();
  const problem = `The admin is ${adminEmail}, but ADMIN_EMAIL is other@example.com.`;
  for (const action of reset) await expect(action(other)).rejects.toThrow(problem);
  expect(await rows()).toEqual(before);

  await app.sql("update accounts set role = 'student'");
  const withoutAdmin = await rows();
  for (const action of reset) await expect(action(app.deps)).rejects.toThrow("There is no admin yet.");
  expect(await rows()).toEqual(withoutAdmin);
});
