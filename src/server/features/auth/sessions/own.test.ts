import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import {
  goodPassword,
  outcome,
  signIn,
  student,
  visitor,
  withSession,
  type Person,
} from "../../../../../tests/support/people.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ environment: { TRUST_PROXY: "loopback" } });
});
afterAll(() => app.close());

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0";
const sessionsOf = async (someone: Person) => (await someone.call("GET", "/api/sessions")).body.items;

async function signInFrom(someone: Person, ip: string, userAgent: string): Promise<Person> {
  const form = { email: someone.email, password: goodPassword };
  const headers = { "x-forwarded-for": ip, "user-agent": userAgent };
  const answer = await visitor(app).call("POST", "/auth/v1/token?grant_type=password", form, headers);
  return withSession(app, someone, answer.body);
}

// OWN-1.
describe("the list of the caller's sessions", () => {
  it("lists device, network, start, last use and current session, newest first", async () => {
    const someone = await student(app);
    app.clock.advance(1);
    const here = await signInFrom(someone, "203.0.113.9", firefox);
    const started = app.clock.now().toISOString();
    app.clock.advance(300);
    const form = { refresh_token: here.refreshToken };
    const headers = { "x-forwarded-for": "2001:db8::7", "user-agent": firefox };
    await visitor(app).call("POST", "/auth/v1/token?grant_type=refresh_token", form, headers);

    const sessions = await sessionsOf(here);

    expect(sessions).toHaveLength(2);
    expect(sessions[0]).toEqual({
      id: expect.any(String),
      device: "Firefox on Linux",
      network: "2001:db8::7",
      created_at: started,
      last_seen_at: app.clock.now().toISOString(),
      current: true,
    });
    expect(sessions[1]).toMatchObject({ device: "Unknown device", network: "127.0.0.1", current: false });
  });

  it("returns live sessions a page at a time and leaves out ended ones", async () => {
    const someone = await student(app);
    for (let count = 0; count < 4; count++) await signIn(app, someone.email, goodPassword);
    const gone = await signIn(app, someone.email, goodPassword);
    await gone.call("POST", "/auth/v1/logout?scope=local");
    const seen = [];
    let query = "limit=2";
    for (;;) {
      const { body } = await someone.call("GET", `/api/sessions?${query}`);
      seen.push(...body.items.map(({ id }: { id: string }) => id));
      if (body.next_cursor === null) break;
      query = `limit=2&cursor=${body.next_cursor}`;
    }
    expect(new Set(seen).size).toBe(5);
    expect(seen).toHaveLength(5);
  });

  it("names the network of an IPv4 address that came as IPv6", async () => {
    const here = await signInFrom(await student(app), "::ffff:203.0.113.9", firefox);
    const own = (await sessionsOf(here)).find(({ current }: { current: boolean }) => current);
    expect(own.network).toBe("203.0.113.9");
  });

  it("truncates an overlong user agent", async () => {
    const here = await signInFrom(await student(app), "203.0.113.9", `Firefox/${"9".repeat(2000)}`);
    const own = (await sessionsOf(here)).find(({ current }: { current: boolean }) => current);
    expect(own.device).toBe("Firefox");
    expect(await app.sql("select length(user_agent) as stored from sessions where id = $1", [own.id])).toEqual([
      { stored: 300 },
    ]);
  });
});

describe("ending sessions", () => {
  it("ends a session at once, its event stream included", async () => {
    const here = await student(app);
    const there = await signIn(app, here.email, goodPassword);
    const stream = await fetch(`${app.url}/api/events`, { headers: { authorization: `Bearer ${there.accessToken}` } });
    const other = (await sessionsOf(here)).find(({ current }: { current: boolean }) => !current);

    expect((await here.call("DELETE", `/api/sessions/${other.id}`)).body).toEqual({ ended: 1 });

    expect((await there.call("GET", "/api/me")).status).toBe(401);
    await expect(stream.text()).resolves.toContain("ready");
    expect(outcome(await here.call("DELETE", `/api/sessions/${other.id}`))).toEqual([404, "session_ended"]);
    expect((await here.call("GET", "/api/me")).status).toBe(200);
  });

  it("ends all other sessions and returns how many", async () => {
    const here = await student(app);
    const others = await Promise.all([1, 2, 3].map(() => signIn(app, here.email, goodPassword)));
    expect((await here.call("DELETE", "/api/sessions")).body).toEqual({ ended: 3 });
    for (const other of others) expect((await other.call("GET", "/api/me")).status).toBe(401);
    expect(await sessionsOf(here)).toHaveLength(1);
    expect((await here.call("DELETE", "/api/sessions")).body).toEqual({ ended: 0 });
    const audit = await app.sql(
      "select actor_email, action, details from audit_log where subject_type = 'account' and subject_id = $1",
      [here.id],
    );
    expect(audit).toEqual([{ actor_email: here.email, action: "account.sessions-end", details: { count: 3 } }]);
  });

  it("ends the current session like a sign-out, and keeps a pending new address", async () => {
    const here = await student(app);
    const there = await signIn(app, here.email, goodPassword);
    await here.call("PUT", "/auth/v1/user", { email: `new-${here.email}` });
    const [own] = (await sessionsOf(here)).filter(({ current }: { current: boolean }) => current);

    expect((await here.call("DELETE", `/api/sessions/${own.id}`)).body).toEqual({ ended: 1 });

    expect((await here.call("GET", "/api/me")).status).toBe(401);
    expect((await there.call("GET", "/api/me")).status).toBe(200);
    expect(await app.sql("select 1 from email_changes where account_id = $1", [here.id])).toHaveLength(1);
    expect(await app.sql("select 1 from audit_log where subject_id = $1", [here.id])).toHaveLength(0);
  });

  it("ends no session of another account", async () => {
    const [one, other] = [await student(app), await student(app)];
    const [{ id }] = await sessionsOf(other);
    await one.call("PUT", "/auth/v1/user", { email: `new-${one.email}` });
    expect((await one.call("DELETE", `/api/sessions/${id}`)).status).toBe(404);
    expect(await app.sql("select 1 from email_changes where account_id = $1", [one.id])).toHaveLength(1);
    expect((await other.call("GET", "/api/me")).status).toBe(200);
  });
});
