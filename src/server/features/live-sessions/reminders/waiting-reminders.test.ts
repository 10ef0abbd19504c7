import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { inMinutes, startLiveSite, type LiveSite } from "../../../../../tests/support/course/live-sessions.ts";
import { mailsTo } from "../../../../../tests/support/mails/received.ts";
import type { Person } from "../../../../../tests/support/people.ts";
import { liveSessionJob } from "../job.ts";

let site: LiveSite;
beforeAll(async () => (site = await startLiveSite()));
afterAll(() => site?.app.close());

async function runJob(): Promise<void> {
  const onError = (what: string, error: unknown): never => expect.fail(`${what}: ${String(error)}`);
  const job = liveSessionJob({ ...site.app.deps, onError });
  await job.run();
  await job.stop();
}

const subjects = async (who: Person): Promise<string[]> => (await mailsTo(site.app, who.email)).map(({ subject }) => subject);
const soon = "Live session soon: Market open";

// LIVESESSION-7
describe("a reminder that waits for the mail server", () => {
  const waits = "failure_kind = 'server', attempted_at = now()";
  beforeEach(async () => {
    await site.app.sql("delete from live_sessions");
    await site.app.sql("delete from mail_outbox");
    await site.plan(30);
    await runJob();
  });
  const attempted = (how: string) =>
    site.app.sql(`update mail_outbox set sent_at = null, attempts = 1, next_attempt_at = '2999-01-01', ${how}`);

  it("is dropped with its correction where it cannot have arrived", async () => {
    await attempted(waits);
    const [{ id }] = await site.occurrences();
    await site.changeOccurrence(id, { cancelled: true });
    expect(await subjects(site.advanced)).toEqual([]);
  });

  it("is written again with the new time when the session is moved", async () => {
    await attempted(waits);
    const [{ id }] = await site.occurrences();
    await site.changeOccurrence(id, { moved_to: inMinutes(site.app, 45) });
    await runJob();
    const mails = await mailsTo(site.app, site.advanced.email);
    expect(mails.map(({ subject }) => subject)).toEqual([soon]);
    expect(mails[0]!.text).toContain(`at ${inMinutes(site.app, 45).time}`);
  });

  it.each([
    ["is on its way", "failure_kind = null, attempted_at = now()"],
    ["may have arrived before", `${waits}, may_repeat = true`],
  ])("is replaced by the correction where it %s", async (_what, how) => {
    await attempted(how);
    const [{ id }] = await site.occurrences();
    await site.changeOccurrence(id, { cancelled: true });
    expect(await subjects(site.advanced)).toEqual(["Live session cancelled: Market open"]);
  });

  it.each([
    ["cancelled", () => ({ cancelled: true })],
    ["moved", () => ({ moved_to: inMinutes(site.app, 45) })],
  ])("is dropped without a correction where Advanced was lost and the session is %s", async (_what, change) => {
    await attempted(waits);
    await site.app.sql("update profiles set subscription_status = 'starter' where id = $1", [site.advanced.id]);
    const [{ id }] = await site.occurrences();
    await site.changeOccurrence(id, change());
    await site.app.sql("update profiles set subscription_status = 'advanced' where id = $1", [site.advanced.id]);
    expect(await subjects(site.advanced)).toEqual([]);
  });

  it("is not corrected where it was turned off before it was sent", async () => {
    await attempted(waits);
    await site.advanced.call("PUT", "/api/mail-choices", { live_session_reminder: false });
    const [{ id }] = await site.occurrences();
    await site.changeOccurrence(id, { cancelled: true });
    await site.app.sql("delete from mail_choices");
    expect(await subjects(site.advanced)).toEqual([]);
  });
});
