import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { mailServer, type Mailserver } from "../../../../tests/support/mails/mail-server.ts";
import { unverifiedStudent } from "../../../../tests/support/people.ts";

let app: TestApp;
let mails: Mailserver;
const lines: string[] = [];
beforeAll(async () => {
  mails = await mailServer();
  const logStream = { write: (line: string) => void lines.push(line) };
  const environment = { LOG_LEVEL: "info", SMTP_URL: mails.url };
  app = await startApp({ environment, parts: { logStream } });
});
afterAll(async () => {
  await app.close();
  await mails.stop();
});

const sending = "/functions/v1/send-verification-email";
const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const idsOf = (method: string, url: string): string[] =>
  lines
    .map((line) => JSON.parse(line) as { reqId: string; req?: { method: string; url: string } })
    .filter(({ req }) => req?.method === method && req.url === url)
    .map(({ reqId }) => reqId);

// RUN-15
it("a mail and its transaction name the request that the log has", async () => {
  await app.sql("create table names (name text)");
  await app.sql(`create function note_name() returns trigger language plpgsql security definer as
    $$ begin insert into names values (current_setting('application_name')); return null; end $$`);
  await app.sql("create trigger names after insert on mail_outbox for each row execute function note_name()");
  for (const email of ["ann@example.com", "bob@example.com"]) {
    const newcomer = await unverifiedStudent(app, email);
    await newcomer.call("POST", sending, { email, fullName: "Somebody" });
  }
  const ids = idsOf("POST", sending);
  expect(ids).toEqual([expect.stringMatching(isUuid), expect.stringMatching(isUuid)]);
  expect(new Set(ids).size).toBe(2);
  await expect.poll(() => mails.taken.length).toBe(2);
  const named = mails.taken.map(({ message }) => /^X-Request-ID: (\S+)/im.exec(message)?.[1]);
  expect(new Set(named)).toEqual(new Set(ids));
  expect(await app.sql('select name from names order by name collate "C"')).toEqual(
    ids.toSorted((a, b) => (a < b ? -1 : 1)).map((id) => ({ name: `request ${id}` })),
  );
});

it("a connection forgets the request, and a job's mail names none", async () => {
  const [row] = await app.sql<{ count: string }>(
    "select count(*) from pg_stat_activity where application_name like 'request %' and state = 'idle' and datname = current_database()",
  );
  expect(row?.count).toBe("0");
  await app.deps.outbox.enqueue(app.deps.db, { to: "job@example.com", subject: "Job", text: "Words", html: "<p>Words</p>" });
  await expect.poll(() => mails.taken.find(({ to }) => to[0] === "job@example.com")?.message).not.toMatch(/x-request-id/i);
});
