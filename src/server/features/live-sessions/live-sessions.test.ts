import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lastAudit } from "../../../../tests/support/app.ts";
import { inMinutes, joinUrl, startLiveSite, type LiveSite } from "../../../../tests/support/course/live-sessions.ts";
import { deletedAfterInsert } from "../../../../tests/support/database/deleted-after-insert.ts";
import { outcome } from "../../../../tests/support/people.ts";

let site: LiveSite;
beforeAll(async () => (site = await startLiveSite()));
beforeEach(() => site.app.sql("delete from live_sessions"));
afterAll(() => site?.app.close());

const week = 7 * 24 * 60;

// LIVESESSION-1
describe("planning a live session", () => {
  it("returns a planned session with its next start, and writes the audit log", async () => {
    const session = await site.plan(120, { join_url: joinUrl.replace("https", "Https") });
    const starts_at = new Date(site.app.clock.now().getTime() + 120 * 60_000).toISOString();
    expect(session).toMatchObject({ title: "Market open", weekly: false, next_starts_at: starts_at, join_url: joinUrl });
    expect(await lastAudit(site.app)).toMatchObject({ action: "live-session.create", subject_id: session.id });
    expect(JSON.stringify(await lastAudit(site.app))).not.toContain("secret");
    expect(await site.occurrences(site.unpaid)).toMatchObject([{ session_id: session.id, starts_at, cancelled: false }]);
  });

  it("plans a weekly session half a year ahead, once a week", async () => {
    await site.plan(60, { weekly: true });
    const starts = (await site.occurrences()).map(({ starts_at }) => Date.parse(starts_at));
    expect(starts).toHaveLength(27);
    expect(new Set(starts.slice(1).map((start, index) => start - starts[index]!))).toEqual(new Set([week * 60_000]));
  });

  it.each([
    ["over plain http", { join_url: "http://meet.example" }, "invalid_input"],
    ["by a script", { join_url: "javascript:alert(1)" }, "invalid_input"],
    ["in no time zone", { time_zone: "Mars/Olympus" }, "invalid_input"],
    ["in a time zone that only Node.js knows", { time_zone: "IST" }, "invalid_input"],
    ["on no day", { date: "2027-02-30" }, "invalid_input"],
    ["at no time", { time: "25:00" }, "invalid_input"],
    ["of 4 minutes", { duration_minutes: 4 }, "invalid_input"],
    ["of 721 minutes", { duration_minutes: 721 }, "invalid_input"],
    ["without a title", { title: " " }, "invalid_input"],
    ["that is over", { date: "2020-01-01" }, "live_session_in_past"],
    ["that ended weekly", { date: "2020-01-01", weekly: true, ends_on: "2020-02-01" }, "live_session_in_past"],
    ["that ends before it begins", { weekly: true, ends_on: "2020-02-01" }, "live_session_ends_early"],
  ])("refuses a live session %s, and stores nothing", async (_what, fields, code) => {
    const body = { title: "T", description: "D", join_url: joinUrl, ...inMinutes(site.app, 60), time_zone: "UTC" };
    const given = { ...body, duration_minutes: 60, weekly: false, ...fields };
    expect(outcome(await site.operator.call("POST", "/api/live-sessions", given))).toEqual([400, code]);
    expect(await site.app.sql("select 1 from live_sessions")).toEqual([]);
  });

  it("plans one session for one key, also when it was changed since", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const body = { title: "T", description: "D", join_url: joinUrl, ...inMinutes(site.app, 60), time_zone: "UTC" };
    const given = { ...body, duration_minutes: 60, weekly: false };
    const post = (fields = {}) => site.operator.call("POST", "/api/live-sessions", { ...given, ...fields }, headers);
    const [first, second] = await Promise.all([post(), post()]);
    expect([first.status, second.status, second.body.id]).toEqual([201, 201, first.body.id]);
    await site.change(first.body.id, { title: "Changed" });
    expect((await post()).body).toMatchObject({ id: first.body.id, title: "Changed" });
    expect(outcome(await post({ title: "Changed" }))).toEqual([409, "idempotency_key_reused"]);
    expect(await site.occurrences()).toHaveLength(1);
    await site.plan(60);
    await site.plan(60);
    expect(await site.occurrences()).toHaveLength(3);
  });

  it("says that a session is gone to a retry while it is deleted", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const body = { title: "T", description: "D", join_url: joinUrl, ...inMinutes(site.app, 60), time_zone: "UTC" };
    const post = () =>
      site.operator.call("POST", "/api/live-sessions", { ...body, duration_minutes: 60, weekly: false }, headers);
    await post();
    const retry = await deletedAfterInsert(site.app, "live_sessions", post);
    expect(outcome(retry)).toEqual([404, "live_session_not_found"]);
  });

  it("stores no hash of a session that was planned without a key", async () => {
    await site.plan(60);
    expect(await site.app.sql("select idempotency_key, idempotency_sha256 from live_sessions")).toEqual([
      { idempotency_key: null, idempotency_sha256: null },
    ]);
  });

  it("lists sessions newest first, a page at a time", async () => {
    for (const title of ["A", "B", "C"]) {
      await site.plan(60, { title });
      site.app.clock.advance(0.001);
    }
    const first = (await site.operator.call("GET", "/api/live-sessions?limit=2")).body;
    const second = (await site.operator.call("GET", `/api/live-sessions?limit=2&cursor=${first.next_cursor}`)).body;
    expect([...first.items, ...second.items].map(({ title }) => title)).toEqual(["C", "B", "A"]);
    expect(second.next_cursor).toBeNull();
    site.app.clock.set(-0.003);
  });

  it("lists occurrences with the same start a page at a time", async () => {
    for (const title of ["A", "B", "C"]) await site.plan(60, { title });
    const path = "/api/live-sessions/occurrences?limit=2";
    const first = (await site.advanced.call("GET", path)).body;
    const second = (await site.advanced.call("GET", `${path}&cursor=${first.next_cursor}`)).body;
    expect(new Set([...first.items, ...second.items].map(({ title }) => title))).toEqual(new Set(["A", "B", "C"]));
    expect(first.now).toBe(site.app.clock.now().toISOString());
  });
});

// LIVESESSION-2
describe("changing a live session", () => {
  it("moves coming occurrences to the new time and keeps their ids", async () => {
    const { id } = await site.plan(60, { weekly: true });
    const before = await site.occurrences();
    const { time } = inMinutes(site.app, 75);
    expect((await site.change(id, { time })).status).toBe(200);
    const after = await site.occurrences();
    expect(after.map((one) => one.id)).toEqual(before.map((one) => one.id));
    expect(Date.parse(after[0].starts_at) - Date.parse(before[0].starts_at)).toBe(15 * 60_000);
  });

  it("keeps the occurrence of a single session when its day changes", async () => {
    const { id } = await site.plan(60);
    const [before] = await site.occurrences();
    const { date } = inMinutes(site.app, 60 + week);
    await site.change(id, { date });
    expect(await site.occurrences()).toMatchObject([{ id: before.id, starts_at: expect.stringContaining(date) }]);
  });

  it("leaves occurrences alone that have begun or were moved or cancelled", async () => {
    const { id } = await site.plan(-30, { weekly: true });
    const [begun, moved, cancelled, other] = await site.occurrences();
    await site.changeOccurrence(moved.id, { moved_to: inMinutes(site.app, 3 * 24 * 60) });
    await site.changeOccurrence(cancelled.id, { cancelled: true });
    const movedStart = (await site.occurrences()).find((one) => one.id === moved.id).starts_at;
    await site.change(id, { time: inMinutes(site.app, 45).time });
    const after = new Map((await site.occurrences()).map((one) => [one.id, one]));
    expect(after.get(begun.id)).toEqual(begun);
    expect(after.get(moved.id)).toMatchObject({ starts_at: movedStart, moved: true });
    expect(after.get(cancelled.id).cancelled).toBe(true);
    expect(after.get(other.id).starts_at).not.toBe(other.starts_at);
  });

  it("ends a weekly session after its last day", async () => {
    const { id } = await site.plan(60, { weekly: true });
    await site.change(id, { ends_on: inMinutes(site.app, 60 + week).date });
    expect(await site.occurrences()).toHaveLength(2);
    await site.change(id, { ends_on: null });
    expect(await site.occurrences()).toHaveLength(27);
  });

  it("renames a live session that is over, and refuses to plan it anew", async () => {
    const { id } = await site.plan(-59);
    site.app.clock.advance(120);
    expect((await site.change(id, { title: "Renamed" })).body).toMatchObject({ title: "Renamed", next_starts_at: null });
    expect(outcome(await site.change(id, { time: inMinutes(site.app, -180).time }))).toEqual([400, "live_session_in_past"]);
    expect(outcome(await site.change(id, {}))).toEqual([400, "invalid_input"]);
    expect((await site.operator.call("DELETE", `/api/live-sessions/${id}`)).body).toEqual({ deleted: true });
    expect(outcome(await site.change(id, { title: "T" }))).toEqual([404, "live_session_not_found"]);
    expect(await site.app.sql("select 1 from live_occurrences")).toEqual([]);
  });

  // LIVESESSION-1
  it("refuses a later time of a day on which a single session has begun", async () => {
    const { id } = await site.plan(-30);
    const today = inMinutes(site.app, 120);
    const begun = await site.occurrences();
    expect(outcome(await site.change(id, today))).toEqual([409, "live_session_begun"]);
    expect(await site.occurrences()).toEqual(begun);
    expect((await site.change(id, inMinutes(site.app, 24 * 60))).status).toBe(200);
    const tomorrow = await site.occurrences();
    expect(tomorrow).toHaveLength(2);
    expect(outcome(await site.change(id, today))).toEqual([409, "live_session_begun"]);
    expect(await site.occurrences()).toEqual(tomorrow);
  });
});

// LIVESESSION-3
describe("the link to join", () => {
  it("returns the link to join to a student only when joining", async () => {
    await site.plan(10);
    for (const person of [site.unpaid, site.starter, site.advanced]) {
      for (const path of ["/api/live-sessions", "/api/live-sessions/occurrences"]) {
        const { status, body } = await person.call("GET", path);
        expect([status, body.items.length]).toEqual([200, 1]);
        expect(JSON.stringify(body)).not.toContain("meet.example");
      }
    }
  });

  it("opens to Advanced and the admin from 15 minutes before the start to the end", async () => {
    await site.plan(16, { duration_minutes: 5 });
    const [{ id, join_opens_at }] = await site.occurrences();
    const asks = async (): Promise<unknown[]> =>
      Promise.all(
        [site.unpaid, site.starter, site.advanced, site.operator].map(async (person) => {
          const answer = await site.join(person, id);
          return answer.body.url ?? outcome(answer);
        }),
      );
    const locked = [403, "live_session_locked"];
    const closed = [409, "live_session_closed"];
    expect(await asks()).toEqual([locked, locked, closed, closed]);
    site.app.clock.advance(60);
    expect(site.app.clock.now().toISOString()).toBe(join_opens_at);
    expect(await asks()).toEqual([locked, locked, joinUrl, joinUrl]);
    await site.app.sql(
      "update live_occurrences set starts_at = starts_at - interval '20 minutes', ends_at = ends_at - interval '20 minutes'",
    );
    expect(await asks()).toEqual([locked, locked, closed, closed]);
  });

  it("refuses to join without the tier, or a cancelled or deleted session", async () => {
    const { id } = await site.plan(10);
    const [occurrence] = await site.occurrences();
    const setTier = (tier: string) =>
      site.app.sql("update profiles set subscription_status = $2 where id = $1", [site.advanced.id, tier]);
    await setTier("starter");
    expect(outcome(await site.join(site.advanced, occurrence.id))).toEqual([403, "live_session_locked"]);
    await setTier("advanced");
    await site.changeOccurrence(occurrence.id, { cancelled: true });
    expect(outcome(await site.join(site.advanced, occurrence.id))).toEqual([409, "live_session_closed"]);
    await site.operator.call("DELETE", `/api/live-sessions/${id}`);
    expect(outcome(await site.join(site.advanced, occurrence.id))).toEqual([404, "live_session_not_found"]);
  });

  it("returns to each student whether live sessions are part of the package", async () => {
    await site.plan(10);
    const included = [site.unpaid, site.starter, site.advanced].map(
      async (person) => (await site.occurrences(person))[0].included,
    );
    expect(await Promise.all(included)).toEqual([false, false, true]);
  });
});
