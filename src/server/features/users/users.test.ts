import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adminEmail, startApp, type TestApp } from "../../../../tests/support/app.ts";
import { pay, setUpWallets } from "../../../../tests/support/payments.ts";
import {
  admin,
  goodPassword,
  outcome,
  signIn,
  student,
  unverifiedStudent,
  visitor,
  type Person,
} from "../../../../tests/support/people.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => {
  app = await startApp();
  operator = await admin(app);
});
afterAll(() => app.close());

const path = "/functions/v1/admin-users";
const list = async (query = "") => (await operator.call("GET", `${path}?limit=100${query}`)).body;
const idsOf = (page: { users: { id: string }[] }): string[] => page.users.map(({ id }) => id);
const setTier = (userId: string, newRole: string) => operator.call("PUT", path, { userId, newRole });
const remove = (userId: string) => operator.call("DELETE", `${path}?userId=${userId}`);

describe("the list of users", () => {
  it("lists students newest first with their fields and without the admin", async () => {
    const older = await student(app, "starter");
    app.clock.advance(1);
    const newer = await unverifiedStudent(app);
    const { users } = await list();
    expect(users.slice(0, 2)).toEqual([
      {
        id: newer.id,
        email: newer.email,
        user_metadata: { full_name: "Somchai Student" },
        subscription_status: "unpaid",
        email_verified: false,
        second_factor: false,
        created_at: expect.stringMatching(/Z$/),
        last_sign_in_at: expect.stringMatching(/Z$/),
      },
      expect.objectContaining({ id: older.id, subscription_status: "starter", email_verified: true }),
    ]);
    expect(users.some(({ email }: { email: string }) => email === adminEmail)).toBe(false);
  });

  it("leaves a second sign-up of an address that has an account out of the list", async () => {
    const owner = await student(app);
    const other = await unverifiedStudent(app, owner.email);
    const ids = idsOf(await list());
    expect(ids).toContain(owner.id);
    expect(ids).not.toContain(other.id);
  });

  it("finds users by a literal part of the e-mail or name", async () => {
    const someone = await student(app);
    await app.sql("update profiles set full_name = $2 where id = $1", [someone.id, "Per_cent 100% O'Neill"]);
    for (const search of [someone.email.slice(3, 20).toUpperCase(), "o'neill", "100%", "per_cent"]) {
      expect(idsOf(await list(`&search=${encodeURIComponent(search)}`))).toEqual([someone.id]);
    }
    for (const search of ["100_", "%%%", "\\", "nobody like this"]) {
      expect(idsOf(await list(`&search=${encodeURIComponent(search)}`))).toEqual([]);
    }
  });

  it("pages through users of the same microsecond without repeats or gaps", async () => {
    const mark = randomUUID();
    await app.sql(
      `with made as (
         insert into accounts (email, password_hash, email_verified_at, created_at)
         select $1 || n || '@example.com', 'x', now(), timestamptz '2026-01-01 00:00:00.123456' + (n / 3) * interval '1 microsecond'
         from generate_series(1, 25) n returning id, email
       ) insert into profiles (id, email, full_name) select id, email, 'Marked' from made`,
      [mark],
    );
    const seen: string[] = [];
    let cursor = "";
    for (let page = 0; page < 9; page++) {
      const answer = await operator.call("GET", `${path}?search=${mark}&limit=4${cursor && `&cursor=${cursor}`}`);
      seen.push(...idsOf(answer.body));
      cursor = answer.body.next_cursor;
      if (!cursor) break;
    }
    const expected = await app.sql<{ id: string }>(
      "select id from accounts where email like $1 || '%' order by created_at desc, id desc",
      [mark],
    );
    expect(seen).toEqual(expected.map(({ id }) => id));
  });

  it.each([
    ["noise", "abc"],
    ["of another list", Buffer.from('["LUNCH"]').toString("base64url")],
    ["of an impossible time", Buffer.from('["2026-13-45T00:00:00.000000Z","x"]').toString("base64url")],
  ])("refuses a cursor of the list of users that is %s", async (_what, cursor) => {
    expect(outcome(await operator.call("GET", `${path}?cursor=${cursor}`))).toEqual([400, "invalid_input"]);
  });
});

describe("the tier", () => {
  it("sets any tier at once, with an audit entry", async () => {
    const someone = await student(app);
    for (const tier of ["advanced", "starter", "unpaid"]) {
      const answer = await setTier(someone.id, tier);
      expect(answer).toMatchObject({ status: 200, body: { user: { id: someone.id, subscription_status: tier } } });
      expect((await someone.call("GET", "/api/me")).body.subscription_status).toBe(tier);
    }
    const rows = await app.sql(
      "select actor_email, ip, subject_type, details from audit_log where action = 'user.tier' and subject_id = $1 order by id",
      [someone.id],
    );
    expect(rows[0]).toEqual({
      actor_email: adminEmail,
      ip: "127.0.0.1",
      subject_type: "account",
      details: { email: someone.email, before: "unpaid", after: "advanced" },
    });
    expect(rows).toHaveLength(3);
  });

  it("refuses to set the admin's tier, an unknown user's or an unknown tier", async () => {
    const someone = await student(app);
    expect(await setTier(operator.id, "advanced")).toMatchObject({ status: 409, body: { code: "admin_account_fixed" } });
    expect(await setTier(randomUUID(), "advanced")).toMatchObject({ status: 404, body: { code: "user_not_found" } });
    expect(await setTier(someone.id, "admin")).toMatchObject({ status: 400, body: { code: "invalid_input" } });
  });
});

describe("deleting a user", () => {
  it("deletes a user with sessions, streams, profile and codes", async () => {
    const someone = await unverifiedStudent(app);
    await someone.call("POST", "/functions/v1/send-verification-email", {});
    await app.sql("update accounts set email_verified_at = now() where id = $1", [someone.id]);
    const stream = await fetch(`${app.url}/api/events`, { headers: { authorization: `Bearer ${someone.accessToken}` } });
    expect(await remove(someone.id)).toMatchObject({ status: 200, body: { deleted: true } });

    await expect(stream.text()).resolves.toContain("ready");
    expect((await someone.call("GET", "/api/me")).status).toBe(401);
    const refreshed = await visitor(app).call("POST", "/auth/v1/token?grant_type=refresh_token", {
      refresh_token: someone.refreshToken,
    });
    expect(refreshed.body.code).toBe("refresh_token_not_found");
    for (const [table, column] of [
      ["accounts", "id"],
      ["profiles", "id"],
      ["sessions", "account_id"],
      ["verification_codes", "user_id"],
    ]) {
      expect(await app.sql(`select 1 from ${table} where ${column} = $1`, [someone.id])).toEqual([]);
    }
    const audit = await app.sql(
      "select actor_email, details from audit_log where action = 'user.delete' and subject_type = 'account' and subject_id = $1",
      [someone.id],
    );
    expect(audit).toEqual([
      {
        actor_email: adminEmail,
        details: { before: { email: someone.email, full_name: "Somchai Student", tier: "unpaid" } },
      },
    ]);
    expect(await remove(someone.id)).toMatchObject({ status: 404, body: { code: "user_not_found" } });
  });

  it("keeps payment requests and screenshots of a deleted user", async () => {
    await setUpWallets(operator);
    const buyer = await student(app);
    const paid = await pay(buyer);
    const requestId: string = paid.body.id;
    expect((await remove(buyer.id)).status).toBe(200);
    const listed = await operator.call("GET", `/api/payment-requests?search=${buyer.email}`);
    expect(listed.body.items).toMatchObject([
      { id: requestId, email: buyer.email, full_name: "Somchai Student", user_id: null },
    ]);
    expect((await operator.call("GET", `/api/payment-requests/${requestId}/screenshot`)).status).toBe(200);
  });

  it("lets the address of a deleted user sign up again", async () => {
    const someone = await student(app, "advanced");
    await remove(someone.id);
    const again = await unverifiedStudent(app, someone.email);
    expect(again.id).not.toBe(someone.id);
    expect((await again.call("GET", "/api/me")).body).toMatchObject({ subscription_status: "unpaid", email_verified: false });
    expect((await signIn(app, someone.email, goodPassword)).id).toBe(again.id);
  });

  it("refuses to delete the admin", async () => {
    expect(await remove(operator.id)).toMatchObject({ status: 409, body: { code: "admin_account_fixed" } });
    expect((await operator.call("GET", "/api/me")).status).toBe(200);
  });
});
