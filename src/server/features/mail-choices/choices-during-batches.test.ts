import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { OptionalMailKind } from "#domain/mail-choices";
import { startLiveSite, type LiveSite } from "../../../../tests/support/course/live-sessions.ts";
import { behindTransaction } from "../../../../tests/support/database/behind-transaction.ts";
import { student, type Person } from "../../../../tests/support/people.ts";
import type { BackgroundJob, JobParts } from "../../platform/background-job.ts";
import { liveSessionJob } from "../live-sessions/job.ts";
import { newsMailingJob } from "../news/mailing.ts";

let site: LiveSite;
/** The one whose mail would be written first. */
let chooser: Person;
let other: Person;
beforeAll(async () => {
  site = await startLiveSite();
  const people = [site.advanced, await student(site.app, "advanced")];
  [chooser, other] = people.toSorted((a, b) => (a.id < b.id ? -1 : 1)) as [Person, Person];
  await site.app.sql("update accounts set email_verified_at = $1", [site.app.clock.now()]);
});
afterAll(() => site?.app.close());
beforeEach(async () => {
  for (const table of ["mail_outbox", "mail_choices", "news", "live_sessions"]) await site.app.sql(`delete from ${table}`);
  await site.app.sql("update profiles set subscription_status = 'advanced' where id = $1", [chooser.id]);
});

async function run(jobOf: (parts: JobParts) => BackgroundJob): Promise<void> {
  const job = jobOf({ ...site.app.deps, onError: (what, error) => expect.fail(`${what}: ${String(error)}`) });
  await job.run();
  await job.stop();
}

const turningOff = (kind: OptionalMailKind) => ({
  text: `with locked as (select id from accounts where id = $1 for update)
    insert into mail_choices (account_id, kind, wanted, chosen_at) select id, $2, false, $3 from locked`,
  values: [chooser.id, kind, site.app.clock.now()],
});

const loweringTier = () => ({
  text: "update profiles set subscription_status = 'starter' where id = $1",
  values: [chooser.id],
});

const mailed = async (kind: OptionalMailKind) =>
  (await site.app.sql("select recipient from mail_outbox where optional_kind = $1", [kind])).map(({ recipient }) => recipient);

// MAIL-8, NEWS-2
it.each([
  ["turns it off", turningOff],
  ["loses its tier", loweringTier],
])("writes no news to who %s while a batch waits for that", async (_what, change) => {
  const news = { title: "New lessons", text: "A text.", audience: "advanced", mail: true };
  await site.operator.call("POST", "/api/news", news, { "idempotency-key": randomUUID() });
  const mailing = (parts: JobParts) => newsMailingJob({ ...site.app.deps, ...parts, batchSize: 1 });
  await behindTransaction(site.app, change("news"), () => run(mailing));
  expect(await mailed("news")).toEqual([other.email]);
  const [item] = (await site.operator.call("GET", "/api/news")).body.items;
  expect(item.mailing).toEqual({ mails: 1, finished_at: site.app.clock.now().toISOString() });
});

// MAIL-8, LIVESESSION-6
it.each([
  ["turns them off", turningOff],
  ["loses Advanced", loweringTier],
])("writes no reminder to who %s while a batch waits for that", async (_what, change) => {
  await site.plan(30);
  const reminding = (parts: JobParts) => liveSessionJob({ ...site.app.deps, ...parts });
  await behindTransaction(site.app, change("live_session_reminder"), () => run(reminding));
  expect(await mailed("live_session_reminder")).toEqual([other.email]);
  expect(await site.app.sql("select account_id from live_reminders")).toEqual([{ account_id: other.id }]);
});
