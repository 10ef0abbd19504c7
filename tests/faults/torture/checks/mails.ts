import type { StudentPromises } from "../../promises.ts";
import { finding, grouped, type Finding, type Read } from "./finding.ts";

export interface ArrivedMail {
  to: string[];
  message: string;
}

/** Why a mail may rightly not be sent in these runs, as the site writes it (MAIL-5). */
const isDropped = /^Not sent, because (it had expired|a newer mail replaced it)\.$/;

/** Every mail that was written arrived once, or is marked; and every acknowledged action has written its mails. */
export async function checkMails(read: Read, students: StudentPromises[], arrived: ArrivedMail[]): Promise<Finding[]> {
  const rows = await read(`select id, recipient, subject, sent_at, next_attempt_at, last_error, may_repeat,
    (extract(epoch from created_at) * 1000)::bigint::text as ms from mail_outbox`);
  return [await checkWritten(read, rows, students), checkArrivals(rows, arrived)];
}

async function checkWritten(read: Read, rows: any[], students: StudentPromises[]): Promise<Finding> {
  const written = finding("mails of what happened");
  const byRecipient = grouped(rows, "recipient");
  const subjects = {
    pending: [],
    approved: ["Your Starter package is unlocked"],
    rejected: ["Your payment request for Starter was not approved"],
  };
  for (const { email, mails } of students) {
    if (mails.length === 0) continue;
    const found = (byRecipient.get(email) ?? []).map(({ subject }) => String(subject));
    written.expect(
      found.some((subject) => subject.includes("verification code")),
      `code mail to ${email}`,
    );
  }
  const requests = await read("select payer_email, status from payment_requests");
  for (const { payer_email, status } of requests) {
    const expected = ["We received your payment request for Starter", ...subjects[status as keyof typeof subjects]];
    const found = (byRecipient.get(payer_email) ?? []).map(({ subject }) => String(subject));
    for (const subject of expected) {
      const count = found.filter((other) => other === subject).length;
      written.expect(count === 1, `“${subject}” was written ${count} times to ${payer_email}`);
    }
  }
  return written;
}

function checkArrivals(rows: any[], arrived: ArrivedMail[]): Finding {
  const once = finding("mails sent once, or marked");
  const arrivals = new Map<string, ArrivedMail[]>();
  for (const mail of arrived) {
    const id = /^Message-ID: <([^@]+)@/im.exec(mail.message)?.[1] ?? "none";
    arrivals.set(id, [...(arrivals.get(id) ?? []), mail]);
  }
  for (const { id, ms, recipient, subject, sent_at, next_attempt_at, last_error, may_repeat } of rows) {
    const key = `${id}.${ms}`;
    const copies = arrivals.get(key) ?? [];
    arrivals.delete(key);
    const name = `mail ${id} “${subject}” to ${recipient}`;
    const isSent = sent_at !== null && copies.length > 0;
    once.expect(isSent || (sent_at === null && isDropped.test(last_error ?? "")), `${name} did not arrive: ${last_error}`);
    if (next_attempt_at !== null) once.lost.push(`${name} still waits`);
    if (copies.length > 1 && !may_repeat) once.lost.push(`${name} arrived ${copies.length} times and is not marked`);
    if (copies.some(({ to }) => to.join() !== recipient)) once.lost.push(`${name} went to somebody else`);
  }
  for (const id of arrivals.keys()) once.lost.push(`a mail arrived that nobody has written: ${id}`);
  return once;
}
