import type { AuditEvent } from "#domain/audit/sentences";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor } from "../../platform/audit.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as queries from "../../platform/mail/failure-queries.ts";
import type { OutboxRow } from "../../platform/mail/queries.ts";

/** Makes a given-up mail due again. Throws `mail_failure_not_found` or `mail_expired`. */
export function sendAgain(deps: Dependencies, actor: Actor, id: number): Promise<void> {
  return transaction(deps.db, async (tx) => {
    const mail = await lock(tx, id);
    const now = deps.clock.now();
    if (!queries.canSendAgain(mail, now)) throw new ProductError("mail_expired");
    await queries.requeue(tx, id, { now, dueAt: deps.clock.steady() });
    await audit(deps, tx, actor, "mail.send_again", mail);
  });
}

/** Deletes a given-up mail. Throws `mail_failure_not_found`. */
export function dismiss(deps: Dependencies, actor: Actor, id: number): Promise<void> {
  return transaction(deps.db, async (tx) => {
    const mail = await lock(tx, id);
    await queries.deleteMail(tx, id);
    await audit(deps, tx, actor, "mail.dismiss", mail);
  });
}

async function lock(tx: Transaction, id: number): Promise<OutboxRow> {
  const mail = await queries.lockGivenUp(tx, id);
  if (!mail) throw new ProductError("mail_failure_not_found");
  return mail;
}

function audit(deps: Dependencies, tx: Transaction, actor: Actor, action: AuditEvent, mail: OutboxRow): Promise<void> {
  return recordAudit(tx, actor, {
    at: deps.clock.now(),
    action,
    subject: { type: "mail", id: String(mail.id) },
    details: { recipient: mail.recipient, subject: mail.subject, reason: mail.last_error },
  });
}
