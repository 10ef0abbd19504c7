import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { torture, type Torture } from "./torture/torture.ts";
import { hasHeld, tableOf } from "./torture/table.ts";

/** The long form is `npm run torture`. */
const options = { seconds: 12, seed: Math.floor(Math.random() * 1e9), wantsStore: false, backsUp: false, say: () => {} };

let run: Torture;
beforeAll(async () => {
  run = await torture(options);
});
afterAll(() => run?.world.close());

// RUN-3, MAIL-12
it("loses no promise to faults at random", () => {
  console.log(`seed ${options.seed}${tableOf(run.counts, run.findings).join("\n")}`);
  expect(
    run.findings.flatMap(({ lost }) => lost),
    `seed ${options.seed}`,
  ).toEqual([]);
  expect(run.counts.size).toBeGreaterThan(5);
  expect(run.findings.filter(({ count }) => count === 0).map(({ promise }) => promise)).toEqual([]);
});

it("has held only with a fault put and nothing lost", () => {
  expect(hasHeld(run.counts, run.findings)).toBe(true);
  expect(hasHeld(new Map(), run.findings)).toBe(false);
  expect(hasHeld(run.counts, [...run.findings, { promise: "mails", count: 1, lost: ["one"] }])).toBe(false);
});

/** Takes away or forges one thing of each kind that was promised, behind the site's back. */
async function damage({ world: { postgres, services, dataDir }, promised }: Torture): Promise<void> {
  const { email, requests } = promised.find(
    (student) => student.verifiedBy !== undefined && student.requests.some(({ decision }) => decision === "approved"),
  )!;
  const { id } = requests.find(({ decision }) => decision === "approved")!;
  const isAccount = `id = (select id from accounts where email = '${email}')`;
  for (const statement of [
    `update profiles set subscription_status = 'advanced' where ${isAccount}`,
    `update accounts set email_verified_at = null where ${isAccount}`,
    `update payment_requests set payer_email = 'nobody@example.com' where id = '${id}'`,
    "update receipt_counters set last = last + 1",
    "update mail_outbox set may_repeat = false",
    "update mail_outbox set next_attempt_at = now() + interval '9 hours' where id = (select max(id) from mail_outbox)",
    `delete from audit_log where subject_id = '${id}' and action = 'payment-request.submit'`,
    `insert into audit_log (at, actor_email, action, subject_type, subject_id, ip)
      values (now(), '', 'payment-request.approve', 'payment-request', 'nobody', '')`,
    "update wallet_settings set bitcoin_price_usd = 1",
  ]) {
    // Without triggers, of which one keeps the audit log append-only.
    const results = [await postgres.sql(`set session_replication_role = replica; ${statement}`)].flat();
    expect(results.at(-1)?.rowCount, statement).toBeGreaterThan(0);
  }
  await damageMails({ postgres, services });
  const { rows: events } = await postgres.sql(`select id from webhook_events where payment_request_id = '${id}'`);
  services.delivered.delete(events[0].id);
  const { rows } = await postgres.sql(`select screenshot_object_id as id from payment_requests where id = '${id}'`);
  const file = join(dataDir, "objects", rows[0].id);
  const bytes = await readFile(file);
  bytes[bytes.length - 1]! ^= 1;
  await writeFile(file, bytes);
}

/** Takes every copy of one sent mail away and repeats another; either may rightly have arrived twice. */
async function damageMails({ postgres, services: { mail } }: Pick<Torture["world"], "postgres" | "services">): Promise<void> {
  const { rows } = await postgres.sql(`select id || '.' || (extract(epoch from created_at) * 1000)::bigint as key
    from mail_outbox where sent_at is not null order by id limit 1`);
  const others = mail.taken.filter(({ message }) => !message.includes(`<${rows[0].key}@`));
  mail.taken.splice(0, mail.taken.length, ...others, others.at(-1)!);
}

it("finds what somebody took away or forged", async () => {
  await damage(run);
  const lost = (await run.check()).flatMap((finding) => finding.lost);
  for (const what of [
    /^tier of .* advanced instead of starter/,
    /^verification of /,
    /^request .* of student/,
    /^the counter of /,
    /^mail .* did not arrive/,
    /^mail .* still waits/,
    /^mail .* arrived [23] times/,
    /^left over: 1 mails/,
    /^audit of /,
    /^audit entries of nobody/,
    /^a price that the service made up: 1,/,
    /^event .* not received/,
    /^screenshot of /,
  ]) {
    expect(lost).toContainEqual(expect.stringMatching(what));
  }
});
