import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { inMinutes, startLiveSite, type LiveSite } from "../../../../../tests/support/course/live-sessions.ts";
import { mailsTo } from "../../../../../tests/support/mails/received.ts";
import type { Person } from "../../../../../tests/support/people.ts";
import { liveSessionJob } from "../job.ts";

let site: LiveSite;
beforeAll(async () => (site = await startLiveSite()));
afterAll(() => site?.app.close());
beforeEach(() => planReminded(30));

/** Plans the one session, in so many minutes, and reminds of it. */
async function planReminded(minutes: number): Promise<void> {
  await site.app.sql("delete from live_sessions");
  await site.app.sql("delete from mail_outbox");
  await site.plan(minutes);
  await runJob();
}

async function runJob(): Promise<void> {
  const onError = (what: string, error: unknown): never => expect.fail(`${what}: ${String(error)}`);
  const job = liveSessionJob({ ...site.app.deps, onError });
  await job.run();
  await job.stop();
}

const subjects = async (who: Person): Promise<string[]> => (await mailsTo(site.app, who.email)).map(({ subject }) => subject);
const [soon, moved, cancelled] = ["soon", "moved", "cancelled"].map((what) => `Live session ${what}: Market open`);

// LIVESESSION-7
it("mails no correction to who lost Advanced, and reminds again who has it back", async () => {
  const setTier = (tier: string) =>
    site.app.sql("update profiles set subscription_status = $2 where id = $1", [site.advanced.id, tier]);
  await setTier("starter");
  const [{ id }] = await site.occurrences();
  await site.changeOccurrence(id, { moved_to: inMinutes(site.app, 45) });
  await setTier("advanced");
  expect(await subjects(site.advanced)).toEqual([soon]);
  await runJob();
  expect(await subjects(site.advanced)).toEqual([soon, soon]);
});

it.each([
  ["cancelled", cancelled, (id: string) => site.changeOccurrence(id, { cancelled: true })],
  ["moved further", moved, (id: string) => site.changeOccurrence(id, { moved_to: inMinutes(site.app, 27 * 60) })],
  ["moved back", moved, (id: string) => site.changeOccurrence(id, { moved_to: null })],
  ["deleted", cancelled, (_id: string, session: string) => site.operator.call("DELETE", `/api/live-sessions/${session}`)],
])("mails students who were told of a later start that it is %s", async (_what, subject, change) => {
  const [{ id, session_id }] = await site.occurrences();
  await site.changeOccurrence(id, { moved_to: inMinutes(site.app, 26 * 60) });
  await change(id, session_id);
  await runJob();
  expect(await subjects(site.advanced)).toEqual([subject, moved, soon]);
});

// LIVESESSION-7
it.each([
  ["within the hour, and reminds them no more", 30, ["takes place", "cancelled", "soon"]],
  ["at a later time, and reminds them again", 26 * 60, ["soon", "takes place", "cancelled", "soon"]],
])("mails those told of a cancellation that it takes place %s", async (_when, minutes, expected) => {
  const [{ id }] = await site.occurrences();
  await site.changeOccurrence(id, { cancelled: true });
  await site.changeOccurrence(id, { moved_to: inMinutes(site.app, minutes) });
  await site.changeOccurrence(id, { cancelled: false });
  await runJob();
  site.app.clock.set((minutes - 20) * 60);
  await runJob();
  site.app.clock.set(-(minutes - 20) * 60);
  expect(await subjects(site.advanced)).toEqual(expected.map((what) => `Live session ${what}: Market open`));
});

// LIVESESSION-7
it.each([
  ["with its plan", (_id: string, session: string) => site.change(session, { time: inMinutes(site.app, 180).time })],
  ["by itself", (id: string) => site.changeOccurrence(id, { moved_to: inMinutes(site.app, 180) })],
  ["as it is cancelled", (id: string) => site.changeOccurrence(id, { cancelled: true, moved_to: inMinutes(site.app, 180) })],
])("mails after its first start that a cancelled one moved %s takes place", async (_how, move) => {
  await planReminded(5);
  const [{ id, session_id }] = await site.occurrences();
  const takesPlace = "Live session takes place: Market open";
  await site.changeOccurrence(id, { cancelled: true });
  expect((await move(id, session_id)).status).toBe(200);
  site.app.clock.set(6 * 60);
  expect((await site.changeOccurrence(id, { cancelled: false })).status).toBe(200);
  expect(await subjects(site.advanced)).toEqual([takesPlace, cancelled, soon]);
  site.app.clock.set(124 * 60);
  await runJob();
  expect(await subjects(site.advanced)).toEqual([soon, takesPlace, cancelled, soon]);
  site.app.clock.set(-130 * 60);
});
