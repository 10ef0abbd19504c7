import { finding, type Finding, type Read } from "./finding.ts";

/** What waits for a job, by what it is called here. Nothing may be left once the faults are over and every lease has ended. */
const waiting: Record<string, string> = {
  mails: "select from mail_outbox where next_attempt_at is not null",
  "webhook events": "select from webhook_events where next_attempt_at is not null",
  "transfer slips": "select from transfer_slips where next_attempt_at is not null",
  "checks of flags": "select from flag_checks",
  "changes of totals": "select from payment_total_changes",
  "changes of tiers": "select from tier_total_changes",
  "changes of students": "select from student_changes",
  films: "select from films where next_attempt_at is not null",
};

/** Returns what still waits for a job, a line each. */
export async function whatWaits(read: Read): Promise<string[]> {
  const left: string[] = [];
  for (const [name, statement] of Object.entries(waiting)) {
    const [row] = await read(`select count(*)::int as number from (${statement}) as waiting`);
    if (row.number > 0) left.push(`${row.number} ${name}`);
  }
  return left;
}

export async function checkLeftovers(read: Read): Promise<Finding> {
  const jobs = finding("jobs that ended by themselves");
  const left = await whatWaits(read);
  jobs.count = Object.keys(waiting).length;
  jobs.lost.push(...left.map((what) => `left over: ${what}`));
  const [prices] = await read(
    "select bitcoin_price_usd::float as bitcoin, ethereum_price_usd::float as ethereum from wallet_settings",
  );
  jobs.expect(
    Math.abs(prices.bitcoin - 45_000) < 100 && Math.abs(prices.ethereum - 3000) < 10,
    `a price that the service made up: ${prices.bitcoin}, ${prices.ethereum}`,
  );
  return jobs;
}
