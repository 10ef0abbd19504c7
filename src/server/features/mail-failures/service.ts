import type { MailFailure, WaitingMails } from "#domain/api/mail-failures";
import { ProductError } from "#domain/messages";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor } from "../../platform/audit.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { cursorKey, decodeCursor, defaultPageSize, pageOf } from "../../platform/http/cursor.ts";
import * as queries from "../../platform/mail/failure-queries.ts";
import type { OutboxRow } from "../../platform/mail/queries.ts";

/**
 * Returns the mails that were given up, newest first, a page at a time, and how many wait for another try. Throws
 * `invalid_input` for a malformed cursor.
 */
export async function listFailures(
  deps: Dependencies,
  page: { limit?: number | undefined; cursor?: string | undefined },
): Promise<{ items: MailFailure[]; next_cursor: string | null; waiting: WaitingMails | null }> {
  const limit = page.limit ?? defaultPageSize;
  const after = page.cursor === undefined ? undefined : lastSeen(page.cursor);
  const rows = await queries.listGivenUp(deps.db, { after, limit: limit + 1 });
  const { items, next_cursor } = pageOf(rows, limit, (row) => [exactTime(row.failed_at), String(row.id)]);
  const { count, oldest_at, reason } = await queries.waitingMails(deps.db);
  const waiting = oldest_at === null ? null : { count, oldest_at: oldest_at.toISOString(), reason: reason ?? "" };
  return { items: items.map((row) => serializeFailure(row, deps.clock.now())), next_cursor, waiting };
}

function lastSeen(cursor: string): { failedAt: string; id: number } {
  const [failedAt, id] = decodeCursor(cursor, [cursorKey.time, cursorKey.number]);
  return { failedAt, id: Number(id) };
}

/** With the six digits of a cursor's time; this process wrote no more than three. */
const exactTime = (time: Date): string => time.toISOString().replace("Z", "000Z");

/** Makes a given-up mail due again. Throws `mail_failure_not_found` or `mail_expired`. */
export function sendAgain(deps: Dependencies, actor: Actor, id: number): Promise<void> {
  return transaction(deps.db, async (tx) => {
    const mail = await lock(tx, id);
    if (!queries.canSendAgain(mail, deps.clock.now())) throw new ProductError("mail_expired");
    await queries.requeue(tx, id, deps.clock.steady());
    await audit(deps, tx, actor, "mail.send_again", mail);
  });
}

/** Deletes a given-up mail. Throws `mail_failure_not_found`. */
export function dismiss(deps: Dependencies, actor: Actor, id: number): Promise<void> {
  return transaction(deps.db, async (tx) => {
    const mail = await lock(tx, id);
    await queries.remove(tx, id);
    await audit(deps, tx, actor, "mail.dismiss", mail);
  });
}

async function lock(tx: Transaction, id: number): Promise<OutboxRow> {
  const mail = await queries.lockGivenUp(tx, id);
  if (!mail) throw new ProductError("mail_failure_not_found");
  return mail;
}

function audit(deps: Dependencies, tx: Transaction, actor: Actor, action: string, mail: OutboxRow): Promise<void> {
  return recordAudit(tx, actor, {
    at: deps.clock.now(),
    action,
    subject: { type: "mail", id: String(mail.id) },
    details: { recipient: mail.recipient, subject: mail.subject, reason: mail.last_error },
  });
}

function serializeFailure(row: queries.FailedRow, now: Date): MailFailure {
  return {
    id: row.id,
    recipient: row.recipient,
    subject: row.subject,
    reason: row.last_error ?? "",
    created_at: row.created_at.toISOString(),
    failed_at: row.failed_at.toISOString(),
    can_send_again: queries.canSendAgain(row, now),
  };
}
