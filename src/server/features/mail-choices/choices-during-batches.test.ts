import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
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
  await site.app.sql("delete from mail_outbox");
});
afterAll(() => site?.app.close());

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

const mailed = async (kind: OptionalMailKind) =>
  (await site.app.sql("select recipient from mail_outbox where optional_kind = $1", [kind])).map(({ recipient }) => recipient);

// MAIL-8
it("writes no news to who turns it off while a batch waits for the choice", async () => {
  const news = { title: "New lessons", text: "A text.", audience: "advanced", mail: true };
  await site.operator.call("POST", "/api/news", news, { "idempotency-key": randomUUID() });
  const mailing = (parts: JobParts) => newsMailingJob({ ...site.app.deps, ...parts, batchSize: 1 });
  await behindTransaction(site.app, turningOff("news"), () => run(mailing));
  expect(await mailed("news")).toEqual([other.email]);
  const [item] = (await site.operator.call("GET", "/api/news")).body.items;
  expect(item.mailing).toEqual({ mails: 1, finished_at: site.app.clock.now().toISOString() });
});

// MAIL-8
it("writes no reminder to who turns them off while a batch waits for the choice", async () => {
  await site.plan(30);
  const reminding = (parts: JobParts) => liveSessionJob({ ...site.app.deps, ...parts });
  await behindTransaction(site.app, turningOff("live_session_reminder"), () => run(reminding));
  expect(await mailed("live_session_reminder")).toEqual([other.email]);
  expect(await site.app.sql("select account_id from live_reminders")).toEqual([{ account_id: other.id }]);
});
