import { afterAll, beforeAll, expect, it } from "vitest";
import type { Setup } from "#domain/api/overview";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { mailServer, type Mailserver } from "../../../../tests/support/mails/mail-server.ts";
import { setUpWallets } from "../../../../tests/support/payments.ts";
import { admin, type Person } from "../../../../tests/support/people.ts";
import { turnOnSecondFactor } from "../../../../tests/support/second-factor.ts";
import { soon } from "../../../../tests/support/soon.ts";
import { mailRemovals } from "../../platform/mail/retention.ts";
import { RetentionJob } from "../../platform/retention/job.ts";

let app: TestApp;
let operator: Person;
let smtp: Mailserver;
beforeAll(async () => {
  smtp = await mailServer();
  app = await startApp({ environment: { SMTP_URL: smtp.url, CONTACT_EMAIL: "help@example.com" } });
  operator = await admin(app);
});
afterAll(async () => {
  await app?.close();
  await smtp?.stop();
});

const setup = async (): Promise<Setup> => (await operator.call("GET", "/api/setup")).body;
const doneSteps = async (): Promise<string[]> => (await setup()).steps.flatMap(({ step, done }) => (done ? [step] : []));
const lesson = { title: "T", description: "D", module: "M", order_index: 1, package_type: "both" };

/** Unlike those of the other tests, no addresses of the sample (WALLET-7). */
const own = {
  bitcoin_address: "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
  ethereum_address: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
};

// STATS-8
it("each step is done once the shop has what it asks for", async () => {
  expect(await doneSteps()).toEqual(["contact"]);
  await operator.call("POST", "/api/videos", { ...lesson, video_url: "https://films.example/x" });
  expect(await doneSteps()).toEqual(["contact", "lesson"]);
  // A mail that was only printed, before there was a mail server, keeps its text.
  await app.sql(
    `insert into mail_outbox (recipient, subject, sealed_body, created_at, sent_at) values ($1, 'S', '\\x00', now(), now())`,
    [operator.email],
  );
  expect(await doneSteps()).toEqual(["contact", "lesson"]);
  await app.sql("update wallet_settings set bitcoin_address = 'bc1q', is_sample = true");
  expect(await doneSteps()).not.toContain("destinations");
  await setUpWallets(operator, own);
  await soon(async () => expect(await doneSteps()).toEqual(["destinations", "contact", "mail", "lesson"]));
  await setUpWallets(operator, { unique_amounts: true });
  expect(await doneSteps()).toContain("own_figures");
  expect((await setup()).closed).toBe(false);
});

// STATS-8, KEEP-1
it("the step of mail is open again once the mails that left are deleted", async () => {
  await app.sql("update mail_outbox set created_at = created_at - interval '31 days', sent_at = sent_at - interval '31 days'");
  await new RetentionJob({ db: app.deps.db, clock: app.clock, removals: mailRemovals }).run();
  expect(await doneSteps()).not.toContain("mail");
  await operator.call("POST", "/api/test-mail", { to: "admin" });
  await soon(async () => expect(await doneSteps()).toContain("mail"));
});

it("the card is gone when all is done, and stays gone when something is undone", async () => {
  ({ person: operator } = await turnOnSecondFactor(app, operator));
  expect(await setup()).toMatchObject({ closed: true });
  await setUpWallets(operator, { unique_amounts: false });
  expect(await setup()).toMatchObject({ closed: true });
});

it("a dismissed card does not return, and the dismissal is in the audit log", async () => {
  await app.sql("delete from setup_card");
  expect((await setup()).closed).toBe(false);
  expect((await operator.call("POST", "/api/setup/close")).status).toBe(200);
  expect((await operator.call("POST", "/api/setup/close")).status).toBe(200);
  expect((await setup()).closed).toBe(true);
  expect(await app.sql("select from audit_log where action = 'setup.close'")).toHaveLength(1);
});
