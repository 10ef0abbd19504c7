import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { torture, type Torture } from "./torture/torture.ts";
import { tableOf } from "./torture/table.ts";

/** The long form is `npm run torture`. */
const options = { seconds: 12, seed: Math.floor(Math.random() * 1e9), wantsStore: false, backsUp: false, say: () => {} };

let run: Torture;
beforeAll(async () => {
  run = await torture(options);
}, 180_000);
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

const some = (table: string, condition = "true") => `(select ctid from ${table} where ${condition} limit 1)`;

/** Takes away or forges one thing of each kind, behind the site's back. */
async function damage({ world: { postgres, services, dataDir } }: Torture): Promise<void> {
  for (const statement of [
    `update profiles set subscription_status = 'advanced' where ctid = ${some("profiles", "subscription_status = 'starter'")}`,
    `update accounts set email_verified_at = null where email in (select payer_email from payment_requests limit 1)`,
    `update payment_requests set payer_email = 'nobody@example.com' where ctid = ${some("payment_requests")}`,
    "update receipt_counters set last = last + 1",
    "update mail_outbox set may_repeat = false",
    `update mail_outbox set next_attempt_at = now() + interval '9 hours' where ctid = ${some("mail_outbox")}`,
    `delete from audit_log where ctid = ${some("audit_log", "action = 'payment-request.submit'")}`,
    `insert into audit_log (at, actor_email, action, subject_type, subject_id, ip)
      values (now(), '', 'payment-request.approve', 'payment-request', 'nobody', '')`,
    "update wallet_settings set bitcoin_price_usd = 1",
  ]) {
    // Without triggers, of which one keeps the audit log append-only.
    const results = [await postgres.sql(`set session_replication_role = replica; ${statement}`)].flat();
    expect(results.at(-1)?.rowCount, statement).toBeGreaterThan(0);
  }
  services.mail.taken.shift();
  services.mail.taken.push(services.mail.taken.at(-1)!);
  for (const id of [...services.delivered].slice(0, 1)) services.delivered.delete(id);
  const { rows } = await postgres.sql("select screenshot_object_id as id from payment_requests limit 1");
  const file = join(dataDir, "objects", rows[0].id);
  const bytes = await readFile(file);
  bytes[bytes.length - 1]! ^= 1;
  await writeFile(file, bytes);
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
    /^mail .* arrived 2 times/,
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
