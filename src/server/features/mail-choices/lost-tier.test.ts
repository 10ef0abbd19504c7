import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { newsAudiences } from "#domain/news";
import type { SubscriptionStatus } from "#domain/packages";
import { startLiveSite, type LiveSite } from "../../../../tests/support/course/live-sessions.ts";
import { mailsTo } from "../../../../tests/support/mails/received.ts";
import { student, type Person } from "../../../../tests/support/people.ts";
import type { BackgroundJob, JobParts } from "../../platform/background-job.ts";
import { liveSessionJob } from "../live-sessions/job.ts";
import { newsMailingJob } from "../news/mailing.ts";

const reminder = "Live session soon: Market open";
const all = [...newsAudiences, reminder];

let site: LiveSite;
let someone: Person;
beforeAll(async () => (site = await startLiveSite()));
afterAll(() => site?.app.close());
beforeEach(async () => {
  for (const table of ["news", "live_sessions"]) await site.app.sql(`delete from ${table}`);
  someone = await student(site.app, "advanced");
  await site.app.sql("update accounts set email_verified_at = $1", [site.app.clock.now()]);
});

async function run(jobOf: (parts: JobParts) => BackgroundJob): Promise<void> {
  const job = jobOf({ ...site.app.deps, onError: (what, error) => expect.fail(`${what}: ${String(error)}`) });
  await job.run();
  await job.stop();
}
const remind = () => run((parts) => liveSessionJob({ ...site.app.deps, ...parts }));

const waits = "sent_at = null, attempts = 1, attempted_at = now(), failure_kind = 'server', next_attempt_at = '2999-01-01'";
const isGivenUp =
  "sent_at = null, attempts = 1, attempted_at = now(), failure_kind = 'mail', failed_at = now(), next_attempt_at = null";

/** Mails news of each audience and a reminder, whose sending ended like that. */
async function mail(how: string): Promise<void> {
  await site.app.sql("delete from mail_outbox");
  for (const audience of newsAudiences) {
    const news = { title: audience, text: "A text.", audience, mail: true };
    await site.operator.call("POST", "/api/news", news, { "idempotency-key": randomUUID() });
  }
  await run((parts) => newsMailingJob({ ...site.app.deps, ...parts }));
  await site.plan(30);
  await remind();
  await site.app.sql(`update mail_outbox set ${how}`);
}

async function setTier(newRole: SubscriptionStatus): Promise<void> {
  const { status } = await site.operator.call("PUT", "/functions/v1/admin-users", { userId: someone.id, newRole });
  expect(status).toBe(200);
}

/** What was not dropped. */
const subjects = async (who: Person): Promise<string[]> =>
  (await mailsTo(site.app, who.email)).map(({ subject }) => subject).toReversed();

// MAIL-8, NEWS-2, LIVESESSION-6
it.each<[SubscriptionStatus, string, object, string[]]>([
  ["starter", "no choice", {}, ["everyone", "starter"]],
  ["unpaid", "no choice", {}, []],
  ["unpaid", "news turned on", { news: true }, ["everyone"]],
])("sends what waits to who became %s, with %s, only where it is still for them", async (tier, _what, choices, left) => {
  await someone.call("PUT", "/api/mail-choices", choices);
  await mail(waits);
  expect(await subjects(someone)).toEqual(all);
  await setTier(tier);
  expect(await subjects(someone)).toEqual(left);
  expect(await subjects(site.advanced)).toEqual(all);
});

// MAIL-4, MAIL-8
it("sends no given-up mail again that was for a tier which the student lost", async () => {
  await mail(isGivenUp);
  const failures = async () =>
    (await site.operator.call("GET", "/api/mail-failures")).body.items.filter(
      ({ recipient }: any) => recipient === someone.email,
    );
  const found = await failures();
  expect(found).toHaveLength(4);
  await setTier("unpaid");
  expect(await failures()).toEqual([]);
  for (const { id } of found) {
    expect((await site.operator.call("POST", `/api/mail-failures/${id}/send-again`)).body.code).toBe("mail_failure_not_found");
  }
});

// LIVESESSION-6
it.each([
  ["reminds who has Advanced back of what they were not reminded of", waits, [reminder]],
  ["does not remind again who has Advanced back and may have the reminder", `${waits}, may_repeat = true`, []],
])("%s", async (_what, how, expected) => {
  await mail(how);
  await setTier("starter");
  await setTier("advanced");
  await remind();
  expect((await subjects(someone)).filter((subject) => subject === reminder)).toEqual(expected);
});
