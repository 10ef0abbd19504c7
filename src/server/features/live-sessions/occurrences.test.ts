import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lastAudit } from "../../../../tests/support/app.ts";
import { inMinutes, startLiveSite, type LiveSite } from "../../../../tests/support/course/live-sessions.ts";
import { outcome } from "../../../../tests/support/people.ts";

let site: LiveSite;
beforeAll(async () => (site = await startLiveSite()));
beforeEach(() => site.app.sql("delete from live_sessions"));
afterAll(() => site?.app.close());

const lesson = { title: "Recording", description: "D", module: "M", order_index: 1, package_type: "advanced" };

// LIVESESSION-4
describe("an occurrence", () => {
  it("cancels and restores an occurrence until it begins", async () => {
    await site.plan(60, { weekly: true });
    const [first, second] = await site.occurrences();
    expect((await site.changeOccurrence(first.id, { cancelled: true })).body.cancelled).toBe(true);
    expect(await lastAudit(site.app)).toMatchObject({
      action: "live-session.change-occurrence",
      details: { before: { cancelled: false }, after: { cancelled: true } },
    });
    const [session] = (await site.unpaid.call("GET", "/api/live-sessions")).body.items;
    expect(session.next_starts_at).toBe(second.starts_at);
    expect((await site.changeOccurrence(first.id, { cancelled: false })).body.cancelled).toBe(false);
  });

  it("moves an occurrence to another day and back to its plan", async () => {
    await site.plan(60, { weekly: true, time_zone: "Asia/Bangkok", ...inMinutes(site.app, 60 + 7 * 60) });
    const [first] = await site.occurrences();
    const to = inMinutes(site.app, 120 + 7 * 60);
    const moved = (await site.changeOccurrence(first.id, { moved_to: to })).body;
    expect([Date.parse(moved.starts_at) - Date.parse(first.starts_at), moved.moved]).toEqual([3_600_000, true]);
    expect((await site.changeOccurrence(first.id, { moved_to: null })).body).toEqual(first);
  });

  it("refuses to move an occurrence back to a day that is no longer in the plan", async () => {
    const { id } = await site.plan(60, { weekly: true });
    const [, second] = await site.occurrences();
    const { body: moved } = await site.changeOccurrence(second.id, { moved_to: inMinutes(site.app, 60 + 9 * 24 * 60) });
    await site.change(id, { date: inMinutes(site.app, 60 + 24 * 60).date });
    expect(outcome(await site.changeOccurrence(second.id, { moved_to: null }))).toEqual([409, "live_session_unplanned"]);
    expect(await site.occurrences()).toContainEqual(moved);
    await site.change(id, { date: inMinutes(site.app, 60).date });
    expect((await site.changeOccurrence(second.id, { moved_to: null })).body).toEqual(second);
  });

  // LIVESESSION-2
  it("keeps a single session on the later day it was moved to, through edits", async () => {
    const { id } = await site.plan(1, { duration_minutes: 5 });
    const [planned] = await site.occurrences();
    const { body: moved } = await site.changeOccurrence(planned.id, { moved_to: inMinutes(site.app, 24 * 60) });
    const afterItsPlan = 7 * 60;
    site.app.clock.set(afterItsPlan);
    const edited = await site.change(id, { duration_minutes: 6 });
    const coming = await site.occurrences();
    site.app.clock.set(-afterItsPlan);
    expect(outcome(edited)).toEqual([200, undefined]);
    expect(coming).toEqual([moved]);
  });

  // LIVESESSION-1
  it("refuses a later time of a single session that has begun earlier than planned", async () => {
    const { id } = await site.plan(60);
    const [planned] = await site.occurrences();
    const { body: moved } = await site.changeOccurrence(planned.id, { moved_to: inMinutes(site.app, 5) });
    const begun = 6 * 60;
    site.app.clock.set(begun);
    const edited = await site.change(id, { time: inMinutes(site.app, 180).time });
    const coming = await site.occurrences();
    const longer = await site.change(id, { duration_minutes: 45 });
    site.app.clock.set(-begun);
    expect(outcome(edited)).toEqual([409, "live_session_begun"]);
    expect(longer.status).toBe(200);
    expect(coming).toEqual([moved]);
  });

  // LIVESESSION-2
  it("keeps moved weeks of a session that becomes single, also on their own day", async () => {
    const { id } = await site.plan(60, { weekly: true });
    const [first, second] = await site.occurrences();
    const { body: moved } = await site.changeOccurrence(second.id, { moved_to: inMinutes(site.app, 60 + 9 * 24 * 60) });
    expect((await site.change(id, { weekly: false })).status).toBe(200);
    expect(await site.occurrences()).toEqual([
      { ...first, weekly: false },
      { ...moved, weekly: false },
    ]);
    expect((await site.change(id, { date: inMinutes(site.app, 60 + 7 * 24 * 60).date })).status).toBe(200);
    expect(await site.occurrences()).toEqual([{ ...moved, weekly: false }]);
  });

  it("names the recording of an occurrence once it has begun, locked like a lesson", async () => {
    const { body: video } = await site.operator.call("POST", "/api/videos", {
      ...lesson,
      video_url: "https://films.example/x",
    });
    await site.plan(-30, { weekly: true });
    const [begun, next] = await site.occurrences();
    expect(outcome(await site.changeOccurrence(next.id, { video_id: video.id }))).toEqual([409, "live_session_not_begun"]);
    expect((await site.changeOccurrence(begun.id, { video_id: video.id })).status).toBe(200);
    await site.app.sql("update live_occurrences set ends_at = $1 where id = $2", [site.app.clock.now(), begun.id]);
    for (const [person, playable] of [
      [site.starter, false],
      [site.advanced, true],
    ] as const) {
      const recorded = await site.occurrences(person, undefined, "recorded");
      expect(recorded).toMatchObject([{ id: begun.id, recording: { video_id: video.id, title: "Recording", playable } }]);
    }
    expect((await site.occurrences(site.starter, undefined, "past")).map(({ id }) => id)).toEqual([begun.id]);
    await site.operator.call("DELETE", `/api/videos/${video.id}`);
    expect(await site.occurrences(site.starter, undefined, "recorded")).toEqual([]);
  });

  it.each([
    ["cancelling one that has begun", { cancelled: true }, [409, "live_session_begun"]],
    ["moving one that has begun", { moved_to: { date: "2099-01-01", time: "10:00" } }, [409, "live_session_begun"]],
    ["a recording that is no lesson", { video_id: randomUUID() }, [404, "video_not_found"]],
    ["a change of nothing", {}, [400, "invalid_input"]],
    ["a move to no time", { moved_to: { date: "2099-01-01" } }, [400, "invalid_input"]],
  ])("refuses %s, and changes nothing", async (_what, changes, refusal) => {
    await site.plan(-1);
    const [before] = await site.occurrences();
    expect(outcome(await site.changeOccurrence(before.id, changes))).toEqual(refusal);
    expect(await site.occurrences()).toEqual([before]);
  });

  it("refuses to move an occurrence into the past, or one that does not exist", async () => {
    await site.plan(60);
    const [{ id }] = await site.occurrences();
    const past = { moved_to: inMinutes(site.app, -1) };
    expect(outcome(await site.changeOccurrence(id, past))).toEqual([400, "live_session_in_past"]);
    expect(outcome(await site.changeOccurrence(randomUUID(), past))).toEqual([404, "live_session_not_found"]);
  });

  it("applies two changes of an occurrence at once one after the other", async () => {
    const { id } = await site.plan(60, { weekly: true });
    const [first] = await site.occurrences();
    const answers = await Promise.all([
      site.changeOccurrence(first.id, { cancelled: true }),
      site.change(id, { time: inMinutes(site.app, 90).time }),
      site.changeOccurrence(first.id, { moved_to: inMinutes(site.app, 240) }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [after] = (await site.occurrences()).filter((one) => one.id === first.id);
    expect(after).toMatchObject({ cancelled: true, moved: true });
  });
});
