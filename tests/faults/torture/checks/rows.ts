import type { StudentPromises } from "../../promises.ts";
import { finding, grouped, type Finding, type Read } from "./finding.ts";

/** Checks accounts, requests, decisions, tiers, receipts and the audit log. */
export async function checkRows(read: Read, students: StudentPromises[]): Promise<Finding[]> {
  return [
    ...(await checkStudents(read, students)),
    ...(await checkRequests(read, students)),
    await checkReceipts(read),
    await checkAudit(read),
  ];
}

async function checkStudents(read: Read, students: StudentPromises[]): Promise<Finding[]> {
  const accounts = finding("accounts");
  const verified = finding("verified addresses");
  const tiers = finding("tiers");
  const rows = grouped(
    await read(`select accounts.email, email_verified_at, subscription_status as tier from accounts join profiles using (id)`),
    "email",
  );
  for (const { email, verifiedBy, requests } of students) {
    const [account] = rows.get(email) ?? [];
    accounts.expect(account !== undefined, `account ${email}`);
    if (verifiedBy !== undefined) verified.expect(account?.email_verified_at != null, `verification of ${email}`);
    for (const { decision } of requests) {
      if (decision === undefined) continue;
      const tier = decision === "approved" ? "starter" : "unpaid";
      tiers.expect(account?.tier === tier, `tier of ${email}: ${account?.tier} instead of ${tier}`);
    }
  }
  return [accounts, verified, tiers];
}

async function checkRequests(read: Read, students: StudentPromises[]): Promise<Finding[]> {
  const submitted = finding("submitted payments");
  const decided = finding("decisions");
  const rows = grouped(await read("select id, payer_email, status, rejection_reason from payment_requests"), "id");
  for (const { email, requests } of students) {
    for (const { id, decision } of requests) {
      const [row] = rows.get(id) ?? [];
      submitted.expect(row?.payer_email === email, `request ${id} of ${email}`);
      if (decision !== undefined) decided.expect(row?.status === decision, `${id}: ${row?.status} instead of ${decision}`);
    }
  }
  return [submitted, decided];
}

/** Numbers count up without a gap, each given once, and the counter is at the last (DECIDE-4). */
async function checkReceipts(read: Read): Promise<Finding> {
  const receipts = finding("receipts without gaps");
  const rows = await read("select receipt_number as number from payment_requests where receipt_number is not null");
  const counters = grouped(await read("select year, last from receipt_counters"), "year");
  const byYear = grouped(
    rows.map(({ number }) => ({ year: number.slice(0, 4), place: Number(number.slice(5)) })),
    "year",
  );
  for (const [year, given] of byYear) {
    const places = given.map(({ place }) => place).toSorted((a, b) => a - b);
    places.forEach((place, index) => receipts.expect(place === index + 1, `receipt ${year}-${index + 1}: found ${place}`));
    const last = counters.get(year)?.[0]?.last;
    if (last !== places.at(-1)) receipts.lost.push(`the counter of ${year} is ${last}, the last receipt ${places.at(-1)}`);
  }
  return receipts;
}

/** Every submit and every decision has one entry, whether it was acknowledged or not (ADMIN-4). */
async function checkAudit(read: Read): Promise<Finding> {
  const audit = finding("audit entries, one for each action");
  const requests = await read("select id, status from payment_requests");
  const entries = grouped(
    await read("select subject_id, action from audit_log where subject_type = 'payment-request'"),
    "subject_id",
  );
  const actions = { pending: [], approved: ["payment-request.approve"], rejected: ["payment-request.reject"] };
  for (const { id, status } of requests) {
    const expected = [...actions[status as keyof typeof actions], "payment-request.submit"];
    const found = (entries.get(id) ?? []).map(({ action }): string => action).toSorted();
    audit.expect(found.join() === expected.join(), `audit of ${id}, ${status}: ${found.join(", ")}`);
    entries.delete(id);
  }
  for (const id of entries.keys()) audit.lost.push(`audit entries of ${id}, which is no request`);
  return audit;
}
