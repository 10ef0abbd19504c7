import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { inMinutes, startLiveSite, type LiveSite } from "../../../../tests/support/course/live-sessions.ts";
import { mailsTo } from "../../../../tests/support/mails/received.ts";
import type { Person } from "../../../../tests/support/people.ts";
import { liveSessionJob } from "./job.ts";

let site: LiveSite;
let errors: string[];
beforeAll(async () => (site = await startLiveSite()));
beforeEach(async () => {
  errors = [];
  await site.app.sql("delete from live_sessions");
  await site.app.sql("delete from mail_outbox");
});
afterAll(() => site?.app.close());

async function runJob(): Promise<void> {
  const onError = (what: string, error: unknown): void => void errors.push(`${what}: ${String(error)}`);
  const job = liveSessionJob({ ...site.app.deps, onError });
  await job.run();
  await job.stop();
}

const subjects = async (who: Person): Promise<string[]> => (await mailsTo(site.app, who.email)).map(({ subject }) => subject);

describe("a weekly session", () => {
  // LIVESESSION-2
  it("plans more weeks of a weekly session as weeks pass, up to its last day", async () => {
    const { id } = await site.plan(60, { weekly: true });
    const ending = await site.plan(60, { weekly: true, ends_on: inMinutes(site.app, 60 + 26 * 7 * 24 * 60).date });
    const count = async (session: string): Promise<number> =>
      (await site.app.sql("select 1 from live_occurrences where session_id = $1", [session])).length;
    const fourWeeks = 28 * 24 * 3600;
    site.app.clock.set(fourWeeks);
    await runJob();
    site.app.clock.set(-fourWeeks);
    expect([await count(id), await count(ending.id)]).toEqual([31, 27]);
    expect(errors).toEqual([]);
  });

  it("keeps an occurrence that was moved past its week when it plans more", async () => {
    await site.plan(60, { weekly: true });
    const [first] = await site.occurrences();
    await site.changeOccurrence(first.id, { moved_to: inMinutes(site.app, 60 + 10 * 24 * 60) });
    const eightDays = 8 * 24 * 3600;
    site.app.clock.set(eightDays);
    await runJob();
    site.app.clock.set(-eightDays);
    expect((await site.occurrences()).map(({ id }) => id)).toContain(first.id);
  });

  // LIVESESSION-7
  it("mails reminded students when planning more weeks moves the occurrence", async () => {
    const { id } = await site.plan(30, { weekly: true });
    await runJob();
    // As new rules of a time zone do: the plan means another time.
    const { time } = inMinutes(site.app, 45);
    await site.app.sql("update live_sessions set time = $1, planned_until = date where id = $2", [time, id]);
    await runJob();
    expect(await subjects(site.advanced)).toEqual(["Live session moved: Market open", "Live session soon: Market open"]);
  });

  it("writes the plan of a weekly session again only after a week", async () => {
    await site.plan(60, { weekly: true });
    const versions = () => site.app.sql("select xmin from live_sessions");
    const before = await versions();
    await runJob();
    expect(await versions()).toEqual(before);
  });
});
