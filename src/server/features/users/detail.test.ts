// Over 250 lines: every part of the page of one student, on one site.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditEntry } from "#domain/api/audit";
import { adminEmail, startApp, type TestApp } from "../../../../tests/support/app.ts";
import { mailsTo } from "../../../../tests/support/mails/received.ts";
import { pay, setUpWallets } from "../../../../tests/support/payments.ts";
import {
  admin,
  outcome,
  signIn,
  student,
  unverifiedStudent,
  visitor,
  type Answer,
  type Person,
} from "../../../../tests/support/people.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => {
  app = await startApp();
  operator = await admin(app);
  await setUpWallets(operator);
});
afterAll(() => app.close());

const detail = async (id: string) => (await operator.call("GET", `/api/users/${id}`)).body;
const auditOf = (id: string, action: string) =>
  app.sql(
    "select actor_email, details from audit_log where subject_type = 'account' and subject_id = $1 and action = $2 order by id",
    [id, action],
  );

// USER-4.
describe("the page of one student", () => {
  it("has the student's requests, receipts, sessions, progress, notes and audit log", async () => {
    const someone = await student(app);
    const paid = await pay(someone, { package_type: "starter" });
    await operator.call("POST", `/api/payment-requests/${paid.body.id}/approve`);
    const video = { title: "T", description: "D", module: "M", order_index: 1, video_url: "https://films.example/x" };
    const lessons = ["both", "both", "starter", "starter", "advanced"].map((package_type) =>
      operator.call("POST", "/api/videos", { ...video, package_type }),
    );
    const [watched, ...others] = await Promise.all(lessons);
    const place = (who: Person, lesson: Answer, position_seconds: number) =>
      who.call("PUT", `/api/videos/${lesson.body.id}/progress`, { position_seconds, duration_seconds: 100 });
    await place(someone, watched!, 95);
    app.clock.advance(60);
    const last_watched_at = app.clock.now().toISOString();
    for (const lesson of others.slice(0, 2)) await place(someone, lesson, 5);
    app.clock.advance(60);
    await place(await student(app, "starter"), watched!, 95);
    await operator.call("POST", `/api/users/${someone.id}/notes`, { text: "Asked for an invoice." });

    expect(await detail(someone.id)).toMatchObject({
      id: someone.id,
      email: someone.email,
      subscription_status: "starter",
      requests: [{ id: paid.body.id, status: "approved", receipt_number: expect.stringMatching(/\d/) }],
      sessions: [{ device: expect.any(String), network: "127.0.0.1" }],
      progress: { lessons: 4, begun: 3, done: 1, last_watched_at },
      notes: [{ text: "Asked for an invoice.", updated_at: null }],
      audit: [
        { action: "user.note-add", actor_email: adminEmail },
        { action: "payment-request.approve", actor_email: adminEmail, subject_id: paid.body.id },
        { action: "payment-request.submit", actor_email: someone.email },
      ],
      sign_in_slowed: false,
    });
  });

  it("lists what was done to the account and its payment requests, newest first", async () => {
    const [someone, other] = [await student(app), await student(app)];
    for (const buyer of [someone, other, someone]) {
      const { id } = (await pay(buyer, { package_type: "starter" })).body;
      await operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "Nothing arrived" });
      await operator.call("POST", `/api/users/${buyer.id}/notes`, { text: "Asked again." });
    }
    const actions = (await detail(someone.id)).audit.map(({ action }: AuditEntry) => action.split(".")[1]);
    expect(actions).toEqual(["note-add", "reject", "submit", "note-add", "reject", "submit"]);
  });

  it("has the whole audit log of the account and its payment requests in pages", async () => {
    const [someone, other] = [await student(app), await student(app)];
    for (const buyer of [someone, other]) {
      await pay(buyer, { package_type: "starter" });
      for (let count = 0; count < 30; count += 1)
        await operator.call("POST", `/api/users/${buyer.id}/notes`, { text: "Called." });
    }
    const whole = (await detail(someone.id)).audit;
    expect(whole).toHaveLength(31);
    const seen: AuditEntry[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const query: string = `limit=10${cursor && `&cursor=${cursor}`}`;
      const { body }: Answer = await operator.call("GET", `/api/users/${someone.id}/audit?${query}`);
      seen.push(...body.items);
      cursor = body.next_cursor;
      // What is added meanwhile moves no page.
      await operator.call("POST", `/api/users/${someone.id}/notes`, { text: "Called back." });
    }
    expect(seen).toEqual(whole);
    expect((await operator.call("GET", `/api/users/${someone.id}/audit?cursor=x`)).status).toBe(400);
  });

  it("is not there for the admin's own account, a deleted one or one that never was", async () => {
    for (const id of [operator.id, randomUUID()]) {
      for (const path of [`/api/users/${id}`, `/api/users/${id}/audit`]) {
        expect(await operator.call("GET", path)).toMatchObject({ status: 404, body: { code: "user_not_found" } });
      }
    }
    expect((await operator.call("GET", "/api/users/nobody")).status).toBe(400);
  });

  it("says when tries at the password are slowed down", async () => {
    const limited = await startApp({ environment: { RATE_LIMITS: "on" } });
    try {
      const owner = await admin(limited);
      const { id, email } = await student(limited);
      await limited.sql("delete from familiar_networks where account_id = $1", [id]);
      const isSlowed = async (): Promise<boolean> => (await owner.call("GET", `/api/users/${id}`)).body.sign_in_slowed;
      expect(await isSlowed()).toBe(false);
      const keys = await limited.sql("select key from rate_limits where key like 'sign-in-address%'");
      const guess = () =>
        visitor(limited).call("POST", "/auth/v1/token?grant_type=password", { email, password: "a wrong guess" });
      // The first try of a minute is counted under another key.
      for (let tries = 0; tries < 2; tries++) await guess();
      // As after the guesses of many networks.
      await limited.sql("update rate_limits set points = 41 where key like 'sign-in-address:%' and key <> all($1)", [
        keys.map(({ key }) => key),
      ]);
      expect(await isSlowed()).toBe(true);
    } finally {
      await limited.close();
    }
  });
});

describe("sessions that the admin ends", () => {
  it("ends one session of a student, and the other goes on", async () => {
    const someone = await student(app);
    const phone = await signIn(app, someone.email, someone.password);
    const { sessions } = await detail(someone.id);
    expect(sessions).toHaveLength(2);
    const path = `/api/users/${someone.id}/sessions/${sessions[0].id}`;
    expect(await operator.call("DELETE", path)).toMatchObject({ status: 200, body: { ended: 1 } });
    const states = await Promise.all([someone, phone].map(async (one) => (await one.call("GET", "/api/me")).status));
    expect(states).toEqual(expect.arrayContaining([200, 401]));
    expect(await operator.call("DELETE", path)).toMatchObject({ status: 404, body: { code: "session_ended" } });
    expect(await auditOf(someone.id, "user.sessions-end")).toEqual([
      { actor_email: adminEmail, details: { email: someone.email, ended: 1, session: sessions[0].id } },
    ]);
  });

  it("ends all sessions and open streams of a student, and no one else's", async () => {
    const [someone, other] = [await student(app), await student(app)];
    const stream = await fetch(`${app.url}/api/events`, { headers: { authorization: `Bearer ${someone.accessToken}` } });
    const { sessions } = await detail(other.id);
    const foreign = await operator.call("DELETE", `/api/users/${someone.id}/sessions/${sessions[0].id}`);
    expect(outcome(foreign)).toEqual([404, "session_ended"]);
    expect((await operator.call("DELETE", `/api/users/${someone.id}/sessions`)).body).toEqual({ ended: 1 });
    await expect(stream.text()).resolves.toContain("ready");
    expect((await someone.call("GET", "/api/me")).status).toBe(401);
    expect((await other.call("GET", "/api/me")).status).toBe(200);
    expect((await operator.call("DELETE", `/api/users/${someone.id}/sessions`)).body).toEqual({ ended: 0 });
  });

  it("returns the 100 newest sessions of a student", async () => {
    const someone = await student(app);
    await app.sql(
      `insert into sessions (id, account_id, network, created_at)
       select gen_random_uuid(), account_id, 'n' || n, created_at - n * interval '1 s' from sessions, generate_series(1, 101) as n
       where account_id = $1`,
      [someone.id],
    );
    const { sessions } = await detail(someone.id);
    expect(sessions.map(({ network }: { network: string }) => network).slice(1)).toEqual(
      Array.from({ length: 99 }, (_, before) => `n${before + 1}`),
    );
  });

  it("refuses to end the admin's own sessions", async () => {
    expect(outcome(await operator.call("DELETE", `/api/users/${operator.id}/sessions`))).toEqual([409, "admin_account_fixed"]);
    expect((await operator.call("GET", "/api/me")).status).toBe(200);
  });
});

// USER-5, PACKAGE-2.
describe("a package given for free", () => {
  const grant = (id: string, package_type = "advanced", reason = "Won a prize") =>
    operator.call("POST", `/api/users/${id}/grant`, { package_type, reason });

  it("sets the tier at once with a note and a mail, without request or receipt", async () => {
    const someone = await student(app, "starter");
    expect(await grant(someone.id)).toMatchObject({ status: 200, body: { user: { subscription_status: "advanced" } } });
    expect((await someone.call("GET", "/api/me")).body.subscription_status).toBe("advanced");
    expect((await someone.call("GET", "/api/payment-requests/mine")).body.items).toEqual([]);
    expect(await auditOf(someone.id, "user.grant")).toEqual([
      {
        actor_email: adminEmail,
        details: { email: someone.email, before: "starter", after: "advanced", reason: "Won a prize" },
      },
    ]);
    expect(await mailsTo(app, someone.email)).toContainEqual(
      expect.objectContaining({ subject: "Your Advanced package is unlocked", text: expect.stringContaining("for free") }),
    );
  });

  it("refuses a tier that the student has, and an address that is not verified", async () => {
    const someone = await student(app, "advanced");
    for (const package_type of ["starter", "advanced"]) {
      expect(await grant(someone.id, package_type)).toMatchObject({ status: 409, body: { code: "user_owns_package" } });
    }
    const stranger = await unverifiedStudent(app);
    expect(await grant(stranger.id)).toMatchObject({ status: 409, body: { code: "user_not_verified" } });
    expect(await grant(randomUUID())).toMatchObject({ status: 404, body: { code: "user_not_found" } });
    expect(await grant(someone.id, "advanced", " ")).toMatchObject({ status: 400, body: { code: "invalid_input" } });
    expect(await auditOf(stranger.id, "user.grant")).toEqual([]);
  });

  it("is given once by two windows at once", async () => {
    const someone = await student(app);
    const answers = await Promise.all([grant(someone.id), grant(someone.id)]);
    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]));
    expect(await auditOf(someone.id, "user.grant")).toHaveLength(1);
  });

  it("is refused or deleted with a student who is deleted at the same time", async () => {
    const someone = await student(app);
    const [given, deleted] = await Promise.all([
      grant(someone.id),
      operator.call("DELETE", `/functions/v1/admin-users?userId=${someone.id}`),
    ]);
    expect(deleted.status).toBe(200);
    expect([200, 404]).toContain(given.status);
    expect(await auditOf(someone.id, "user.grant")).toHaveLength(given.status === 200 ? 1 : 0);
  });
});

// USER-6.
describe("notes about a student", () => {
  it("are added, changed and deleted, newest first, and logged without their text", async () => {
    const someone = await student(app);
    const path = `/api/users/${someone.id}/notes`;
    const first = (await operator.call("POST", path, { text: "Called.\nWill pay on Monday." })).body;
    app.clock.advance(1);
    const second = (await operator.call("POST", path, { text: "Paid." })).body;
    expect(await operator.call("PATCH", `/api/users/${someone.id}/notes/${first.id}`, { text: "Called twice." })).toMatchObject(
      {
        status: 200,
        body: { text: "Called twice.", created_at: first.created_at, updated_at: app.clock.now().toISOString() },
      },
    );
    expect((await detail(someone.id)).notes.map(({ text }: { text: string }) => text)).toEqual(["Paid.", "Called twice."]);
    expect((await operator.call("DELETE", `/api/users/${someone.id}/notes/${second.id}`)).status).toBe(200);
    expect((await detail(someone.id)).notes).toHaveLength(1);
    const log = await app.sql("select action, details from audit_log where subject_id = $1 order by id", [someone.id]);
    expect(log).toEqual([
      { action: "user.note-add", details: { email: someone.email, note: first.id } },
      { action: "user.note-add", details: { email: someone.email, note: second.id } },
      { action: "user.note-change", details: { email: someone.email, note: first.id } },
      { action: "user.note-delete", details: { email: someone.email, note: second.id } },
    ]);
  });

  it("of one moment are always listed in one order", async () => {
    const someone = await student(app);
    for (let count = 1; count <= 5; count += 1)
      await operator.call("POST", `/api/users/${someone.id}/notes`, { text: "Called." });
    const ids = (await detail(someone.id)).notes.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(ids.toSorted().toReversed());
  });

  it("are of one student, of 1 to 2,000 characters, and gone with the account", async () => {
    const [someone, other] = [await student(app), await student(app)];
    const { id } = (await operator.call("POST", `/api/users/${someone.id}/notes`, { text: "x".repeat(2000) })).body;
    for (const text of ["", " ", "x".repeat(2001)]) {
      expect((await operator.call("POST", `/api/users/${someone.id}/notes`, { text })).status).toBe(400);
    }
    for (const [method, body] of [
      ["PATCH", { text: "Mine" }],
      ["DELETE", undefined],
    ] as const) {
      const answer = await operator.call(method, `/api/users/${other.id}/notes/${id}`, body);
      expect(outcome(answer)).toEqual([404, "user_note_not_found"]);
    }
    await operator.call("DELETE", `/functions/v1/admin-users?userId=${someone.id}`);
    expect(await app.sql("select 1 from user_notes where account_id = $1", [someone.id])).toEqual([]);
    expect((await operator.call("POST", `/api/users/${someone.id}/notes`, { text: "Late" })).status).toBe(404);
  });
});
