import type { TestMail, testMailRecipients } from "#domain/api/mail/test-mail";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor } from "../../platform/audit.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Principal } from "../../platform/http/access.ts";
import type { Limit } from "../../platform/http/rate-limit.ts";
import { findByIdAndReplaceKey } from "../../platform/mail/queries.ts";
import { currentSettings } from "../wallet-settings/service.ts";
import { testMail, testMailKey } from "./mail.ts";
import { testMailView } from "./views.ts";

const testMailLimit: Limit = { name: "test-mail", points: 5, seconds: 600 };

/**
 * Mails a test through the outbox, as every mail is sent, and returns it (MAIL-11). Throws `alert_email_missing` or
 * `too_many_requests`.
 */
export async function sendTestMail(
  deps: Dependencies,
  principal: Principal,
  actor: Actor,
  to: (typeof testMailRecipients)[number],
): Promise<TestMail> {
  await deps.limits.consume(testMailLimit, principal.id);
  const now = deps.clock.now();
  const recipient = to === "admin" ? principal.email : (await currentSettings(deps.db, now)).saved.alert_email;
  if (recipient === "") throw new ProductError("alert_email_missing");
  return transaction(deps.db, async (tx) => {
    const id = await deps.outbox.enqueue(tx, testMail(deps.config.site, recipient, now));
    const subject = { type: "mail", id: String(id) };
    await recordAudit(tx, actor, { at: now, action: "mail.test", subject, details: { recipient } });
    const row = await findByIdAndReplaceKey(tx, id, testMailKey);
    return testMailView(row!, deps);
  });
}
