// Over 250 lines: reminders, corrections and what interrupts them share one site and its students.
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { behindTransaction } from "../../../../../tests/support/database/behind-transaction.ts";
import { inMinutes, startLiveSite, type LiveSite } from "../../../../../tests/support/course/live-sessions.ts";
import { mailsTo } from "../../../../../tests/support/mails/received.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { soon as repeated } from "../../../../../tests/support/soon.ts";
import { removals } from "../../../removals.ts";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import type { Mail } from "../../../platform/mail/outbox.ts";
import { RetentionJob } from "../../../platform/retention/job.ts";
import { liveSessionJob, type LiveSessionJobParts } from "../job.ts";
import { cancelledMail } from "./mail.ts";

let site: LiveSite;
let errors: string[];
beforeAll(async () => (site = await startLiveSite({ environment: { PUBLIC_URL: "https://course.example" } })));
beforeEach(async () => {
  errors = [];
  await site.app.sql("delete from live_sessions");
  await site.app.sql("delete from mail_outbox");
});
afterAll(() => site?.app.close());

/** A process's job that runs when a test says so. */
async function runJob(parts: Partial<LiveSessionJobParts> = {}): Promise<void> {
  const onError = (what: string, error: unknown): void => void errors.push(`${what}: ${String(error)}`);
  const job = liveSessionJob({ ...site.app.deps, onError, ...parts });
  await job.run();
  await job.stop();
}

const subjects = async (who: Person): Promise<string[]> => (await mailsTo(site.app, who.email)).map(({ subject }) => subject);
const soon = "Live session soon: Market open";

// LIVESESSION-6
describe("a reminder", () => {
  it("mails one reminder an hour before the start, to Advanced students alone", async () => {
    await site.plan(61);
    await runJob();
    expect(await subjects(site.advanced)).toEqual([]);
    site.app.clock.advance(60);
    await runJob();
    await runJob();
    expect(await subjects(site.advanced)).toEqual([soon]);
    for (const other of [site.unpaid, site.starter, site.operator]) expect(await subjects(other)).toEqual([]);
  });

  it("names the time in a reminder in two zones, without the link to join", async () => {
    await site.plan(0, { time_zone: "Asia/Bangkok", ...inMinutes(site.app, 7 * 60 + 30) });
    await runJob();
    const [mail] = await mailsTo(site.app, site.advanced.email);
    const start = new Date(site.app.clock.now().getTime() + 30 * 60_000);
    expect(mail!.text).toContain(`(Asia/Bangkok, ${start.toISOString().slice(11, 16)} UTC)`);
    expect(mail!.text).toContain("https://course.example/student");
    expect(mail!.text).toContain("Unsubscribe: https://course.example/unsubscribe?token=live_session_reminder");
    expect(mail!.text + mail!.html).not.toContain("meet.example");
    const [row] = await site.app.sql<any>("select expires_at from mail_outbox where recipient = $1", [site.advanced.email]);
    expect(row.expires_at).toEqual(start);
  });

  it("names the day in UTC beside the time in UTC where it is another day", () => {
    const recipient = { id: "a", email: "ann@example.com", full_name: "Ann" };
    const sender = { site: { name: "Pipwright" }, origin: "https://course.example" };
    const textIn = (time_zone: string): string => {
      const occurrence = { id: "o", title: "Market open", starts_at: new Date("2026-11-25T01:00:00Z"), time_zone };
      return cancelledMail(sender, recipient, occurrence).text.replaceAll(/\s+/g, " ");
    };
    expect(textIn("America/New_York")).toContain("24 November 2026 at 20:00 (America/New_York, Wed 25 Nov, 01:00 UTC)");
    expect(textIn("Asia/Bangkok")).toContain("25 November 2026 at 08:00 (Asia/Bangkok, 01:00 UTC)");
    expect(textIn("UTC")).toContain("25 November 2026 at 01:00 (UTC)");
  });

  it("reminds nobody who turned it off or is unverified, until they turn it on", async () => {
    const off = await student(site.app, "advanced");
    const unverified = await student(site.app, "advanced");
    await off.call("PUT", "/api/mail-choices", { live_session_reminder: false });
    await site.app.sql("update accounts set email_verified_at = null where id = $1", [unverified.id]);
    await site.plan(30);
    await runJob();
    expect([await subjects(off), await subjects(unverified)].map((list) => list.includes(soon))).toEqual([false, false]);
    await off.call("PUT", "/api/mail-choices", { live_session_reminder: true });
    await runJob();
    expect(await subjects(off)).toContain(soon);
    await site.app.sql("delete from accounts where id = any($1::uuid[])", [[off.id, unverified.id]]);
  });

  it("sends no reminder after the start, when cancelled, or again on a clock set back", async () => {
    await site.plan(-1, { title: "Begun" });
    await site.plan(30, { title: "Cancelled" });
    const [cancelled] = (await site.occurrences()).filter(({ title }) => title === "Cancelled");
    await site.changeOccurrence(cancelled.id, { cancelled: true });
    await site.plan(90);
    site.app.clock.set(45 * 60);
    await runJob();
    expect(await subjects(site.advanced)).toEqual([soon]);
    site.app.clock.set(-45 * 60);
    await runJob();
    site.app.clock.set(3 * 3600);
    await runJob();
    site.app.clock.set(-3 * 3600);
    await runJob();
    expect(await subjects(site.advanced)).toEqual([soon]);
  });

  it("mails a reminder once when another occurrence changes on a clock set back", async () => {
    await site.plan(59, { weekly: true });
    await runJob();
    site.app.clock.set(-10 * 60);
    const [, next] = await site.occurrences();
    await site.changeOccurrence(next.id, { cancelled: true });
    site.app.clock.set(10 * 60);
    await runJob();
    expect(await subjects(site.advanced)).toEqual([soon]);
  });

  it("mails a reminder once when two processes run at the same time", async () => {
    await site.plan(30);
    await Promise.all([runJob(), runJob(), runJob()]);
    await runJob();
    expect(await subjects(site.advanced)).toEqual([soon]);
    expect(errors).toEqual([]);
  });

  it("mails a reminder once to each student when the process dies in between", async () => {
    const others = await Promise.all([1, 2, 3].map(() => student(site.app, "advanced")));
    await site.plan(30);
    let queued = 0;
    const outbox = {
      ...site.app.deps.outbox,
      async enqueue(connection: Connection, mail: Mail): Promise<number> {
        const id = await site.app.deps.outbox.enqueue(connection, mail);
        queued += 1;
        // The process is gone for the database: its connection ends in the middle of the transaction.
        if (queued === 2) await (connection as Transaction).execute(sql`select pg_terminate_backend(pg_backend_pid())`);
        return id;
      },
    };
    await runJob({ outbox });
    expect([queued, errors.length]).toEqual([2, 1]);
    for (const person of others) expect(await subjects(person)).toEqual([]);
    // The job's lock may outlive the lost connection by a moment.
    await repeated(async () => {
      await runJob();
      for (const person of [site.advanced, ...others]) expect(await subjects(person)).toEqual([soon]);
    });
    await site.app.sql("delete from accounts where id = any($1::uuid[])", [others.map(({ id }) => id)]);
  });
});

// LIVESESSION-7
describe("who was reminded", () => {
  const [moved, cancelled] = ["Live session moved: Market open", "Live session cancelled: Market open"];

  it("mails reminded students once that an occurrence is cancelled", async () => {
    await site.plan(30);
    await runJob();
    const [{ id }] = await site.occurrences();
    await site.changeOccurrence(id, { cancelled: true });
    await site.changeOccurrence(id, { cancelled: true });
    expect(await subjects(site.advanced)).toEqual([cancelled, soon]);
    expect(await subjects(site.starter)).toEqual([]);
  });

  it("mails reminded students the new time, and reminds again before a later one", async () => {
    await site.plan(30);
    await runJob();
    const [{ id }] = await site.occurrences();
    await site.changeOccurrence(id, { moved_to: inMinutes(site.app, 45) });
    await runJob();
    expect(await subjects(site.advanced)).toEqual([moved, soon]);
    await site.changeOccurrence(id, { moved_to: inMinutes(site.app, 90) });
    await runJob();
    expect(await subjects(site.advanced)).toEqual([moved, moved, soon]);
    site.app.clock.set(31 * 60);
    await runJob();
    site.app.clock.set(-31 * 60);
    expect(await subjects(site.advanced)).toEqual([soon, moved, moved, soon]);
  });

  it.each([
    ["a move to an earlier start", 15, 90],
    ["a move to a later start", 45, 105],
    ["a cancelled session", undefined, 90],
  ])("lets the mail about %s wait until an hour after the last start", async (_what, movedTo, until) => {
    await site.plan(30);
    await runJob();
    const [{ id, starts_at }] = await site.occurrences();
    const now = new Date(starts_at).getTime() - 30 * 60_000;
    await site.changeOccurrence(id, movedTo === undefined ? { cancelled: true } : { moved_to: inMinutes(site.app, movedTo) });
    const rows = await site.app.sql("select expires_at from mail_outbox where subject <> $1 and recipient = $2", [
      soon,
      site.advanced.email,
    ]);
    expect(rows).toEqual([{ expires_at: new Date(now + until * 60_000) }]);
  });

  it("mails reminded students when the session is moved or deleted, not renamed", async () => {
    const { id } = await site.plan(30, { weekly: true });
    await runJob();
    await site.change(id, { description: "Other words." });
    expect(await subjects(site.advanced)).toEqual([soon]);
    await site.change(id, { time: inMinutes(site.app, 40).time });
    expect(await subjects(site.advanced)).toEqual([moved, soon]);
    await site.operator.call("DELETE", `/api/live-sessions/${id}`);
    expect(await subjects(site.advanced)).toEqual([cancelled, moved, soon]);
  });

  it.each([
    ["cancelled", () => ({ cancelled: true }), cancelled, [{ remind_again: true }]],
    ["moved", () => ({ moved_to: inMinutes(site.app, 300) }), moved, [{ remind_again: true }]],
  ])("mails those whose reminder is written while an occurrence is %s", async (_what, change, subject, records) => {
    await site.plan(30);
    const [{ id }] = await site.occurrences();
    const reminding = {
      text: `with due as (select id, starts_at from live_occurrences where id = $1 for share)
        insert into live_reminders (occurrence_id, account_id, starts_at) select id, $2, starts_at from due`,
      values: [id, site.advanced.id],
    };
    await behindTransaction(site.app, reminding, () => site.changeOccurrence(id, change()));
    expect(await subjects(site.advanced)).toEqual([subject]);
    expect(await site.app.sql("select remind_again from live_reminders")).toEqual(records);
  });

  // MAIL-9
  it("says why a correction is mailed, also to who turned reminders off since", async () => {
    const off = await student(site.app, "advanced");
    await site.plan(30);
    await runJob();
    await off.call("PUT", "/api/mail-choices", { live_session_reminder: false });
    const [{ id }] = await site.occurrences();
    await site.changeOccurrence(id, { cancelled: true });
    const [mail] = await mailsTo(site.app, off.email);
    expect(mail!.subject).toBe(cancelled);
    expect(mail!.text).toContain("You get this mail because you were reminded of this session.");
    expect(mail!.text + mail!.html).not.toMatch(/is on for your account|nsubscribe/);
    await site.app.sql("delete from accounts where id = $1", [off.id]);
  });

  it("mails no correction when nobody was reminded yet", async () => {
    const { id } = await site.plan(120);
    await runJob();
    await site.operator.call("DELETE", `/api/live-sessions/${id}`);
    expect(await subjects(site.advanced)).toEqual([]);
  });
});

// KEEP-1
it("deletes the record of a reminder a day after the start", async () => {
  await site.plan(30);
  await runJob();
  const notes = () => site.app.sql("select 1 from live_reminders");
  const removeOld = () => new RetentionJob({ db: site.app.deps.db, clock: site.app.clock, removals }).run();
  await removeOld();
  expect(await notes()).toHaveLength(1);
  const later = 24 * 3600 + 31 * 60;
  site.app.clock.set(later);
  await removeOld();
  site.app.clock.set(-later);
  expect(await notes()).toEqual([]);
});
