import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { behindTransaction } from "../../../../tests/support/database/behind-transaction.ts";
import { recoveryTokenFor } from "../../../../tests/support/mails/received.ts";
import {
  goodPassword,
  outcome,
  signIn,
  student,
  unverifiedStudent,
  visitor,
  type Person,
} from "../../../../tests/support/people.ts";
import { lockSpaces } from "#server/platform/db/locks";
import { createAdmin } from "./admin/create-admin.ts";

/** Two transactions in opposite orders would fail the second statement of one of them (see `platform/db/locks.ts`). */
let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

const refresh = (someone: Person) =>
  visitor(app).call("POST", "/auth/v1/token?grant_type=refresh_token", { refresh_token: someone.refreshToken });
const lockAccount = (id: string) => ({ text: "select 1 from accounts where id = $1 for update", values: [id] });
const newestSession = async ({ id }: Person): Promise<string> => {
  const [row] = await app.sql<{ id: string }>(
    "select id from sessions where account_id = $1 order by created_at desc, id limit 1",
    [id],
  );
  return row!.id;
};

it("locks the session before its refresh tokens when a token is renewed", async () => {
  const someone = await student(app);
  const values = [await newestSession(someone)];
  const answer = await behindTransaction(
    app,
    { text: "select 1 from sessions where id = $1 for update", values },
    () => refresh(someone),
    { text: "update refresh_tokens set used_at = used_at where session_id = $1", values },
  );
  expect(answer.status).toBe(200);
});

it("locks the account before its recovery links when one is opened", async () => {
  const someone = await student(app);
  await visitor(app).call("POST", "/auth/v1/recover", { email: someone.email });
  const token_hash = await recoveryTokenFor(app, someone.email);
  const answer = await behindTransaction(
    app,
    lockAccount(someone.id),
    () => visitor(app).call("POST", "/auth/v1/verify", { type: "recovery", token_hash }),
    { text: "delete from password_recoveries where account_id = $1", values: [someone.id] },
  );
  expect(outcome(answer)).toEqual([403, "otp_expired"]);
});

it("locks the account before its profile when the name changes", async () => {
  const someone = await student(app);
  const answer = await behindTransaction(
    app,
    lockAccount(someone.id),
    () => someone.call("PUT", "/auth/v1/user", { data: { full_name: "Nok Newname" } }),
    { text: "update profiles set full_name = full_name where id = $1", values: [someone.id] },
  );
  expect(answer.status).toBe(200);
});

it("locks the account before its profile when a sign-up is repeated", async () => {
  const someone = await unverifiedStudent(app);
  const form = { email: someone.email, password: goodPassword, data: { full_name: "Nok Newname" } };
  const answer = await behindTransaction(
    app,
    lockAccount(someone.id),
    () => visitor(app).call("POST", "/auth/v1/signup", form),
    { text: "update profiles set full_name = full_name where id = $1", values: [someone.id] },
  );
  expect(answer.status).toBe(200);
});

it.each([
  ["DELETE", "/api/sessions", 200],
  ["POST", "/auth/v1/logout?scope=others", 204],
  ["POST", "/auth/v1/logout?scope=global", 204],
])("locks the account before its sessions at %s %s", async (method, path, status) => {
  const someone = await student(app);
  await signIn(app, someone.email, goodPassword);
  const held = await signIn(app, someone.email, goodPassword);
  const [last] = await app.sql<{ id: string }>("select id from sessions where account_id = $1 order by ctid desc limit 1", [
    held.id,
  ]);
  const answer = await behindTransaction(
    app,
    {
      text: "select 1 from accounts, sessions where accounts.id = $1 and sessions.id = $2 for update",
      values: [someone.id, last!.id],
    },
    () => someone.call(method, path),
    { text: "select 1 from sessions where account_id = $1 for update", values: [someone.id] },
  );
  expect(answer.status).toBe(status);
});

it("starts a session and remembers its network in one transaction", async () => {
  const someone = await student(app);
  await app.sql("delete from familiar_networks where account_id = $1", [someone.id]);
  const answer = await behindTransaction(
    app,
    { text: "lock table familiar_networks in exclusive mode" },
    () => signIn(app, someone.email, goodPassword),
    {
      // Fails unless the sign-in, which waits to store the network, still holds back its session.
      text: "select 1 / (count(*) = 1)::int from sessions where account_id = $1",
      values: [someone.id],
    },
  );
  expect(answer.id).toBe(someone.id);
});

it("locks the address before its unfinished sign-ups when it becomes the admin's", async () => {
  const first = await unverifiedStudent(app);
  const form = { email: first.email, password: "another fine password", data: { full_name: "Nok Newname" } };
  const second = (await visitor(app).call("POST", "/auth/v1/signup", form)).body.user;
  const config = { ...app.deps.config, admin: { email: first.email, password: undefined } };
  try {
    const made = await behindTransaction(
      app,
      {
        // As the verification of one of them does.
        text: "select pg_advisory_xact_lock($1, hashtext($2)) from accounts where id = $3 for update",
        values: [lockSpaces.emailAddress, first.email, second.id],
      },
      () => createAdmin({ ...app.deps, config }),
      { text: "select 1 from accounts where email = $1 for update", values: [first.email] },
    );
    expect(made.password).toBeDefined();
  } finally {
    await createAdmin(app.deps);
  }
});
