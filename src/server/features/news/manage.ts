import type { News, PublishNews } from "#domain/api/course/news";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor, type AuditedChange, type ChangeAction } from "../../platform/audit.ts";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { requireProven, type Principal } from "../../platform/http/access.ts";
import type { ActingAdmin } from "../../platform/http/origin.ts";
import { inputHash, requireSameInput } from "../../platform/idempotency.ts";
import { mailsKey } from "./mail.ts";
import * as queries from "./queries.ts";
import { newsView } from "./views.ts";

interface Publisher extends ActingAdmin {
  principal: Principal;
}

/**
 * Publishes an announcement and, if wanted, starts its mailing (NEWS-1, NEWS-4). Returns it, and returns the same one for the same key. Throws
 * `idempotency_key_missing`, `idempotency_key_reused`, `news_not_found` when the one of the key is deleted meanwhile, and with a mailing
 * `step_up_needed` (STEPUP-2) or `mail_origin_unknown`.
 */
export async function publishNews(
  deps: Dependencies,
  publisher: Publisher,
  input: PublishNews,
  idempotencyKey: string | undefined,
): Promise<News> {
  if (idempotencyKey === undefined) throw new ProductError("idempotency_key_missing");
  if (input.mail) requireProven(publisher.principal, deps.clock.now());
  const row = await transaction(deps.db, (tx) => writeOnce(deps, tx, publisher, input, idempotencyKey));
  return newsView(row, "admin");
}

async function writeOnce(
  deps: Dependencies,
  tx: Transaction,
  { actor, origin }: Publisher,
  input: PublishNews,
  idempotencyKey: string,
): Promise<queries.NewsRow> {
  const { title, text, audience, mail } = input;
  const now = deps.clock.now();
  const key = { idempotency_key: idempotencyKey, idempotency_sha256: inputHash(input) };
  const values = { title, body: text, audience, published_at: now, ...key };
  const id = await queries.insertNews(tx, values);
  if (id !== undefined) {
    if (mail) await startMailing(tx, id, origin, now);
    await audit(deps, tx, actor, "news.publish", id, { title, mail, after: { title, text, audience } });
  }
  const row = await queries.findByIdempotencyKey(tx, idempotencyKey);
  // Deleted since the insert found it.
  if (!row) throw new ProductError("news_not_found");
  requireSameInput(row, key.idempotency_sha256);
  return row;
}

async function startMailing(tx: Transaction, newsId: string, origin: string | undefined, now: Date): Promise<void> {
  if (origin === undefined) throw new ProductError("mail_origin_unknown");
  await queries.insertMailing(tx, { news_id: newsId, origin, started_at: now });
}

/**
 * Changes an announcement and returns it; mails that were written stay as they are. Throws `news_not_found`, `invalid_input` without any
 * change, or `step_up_needed` while its mailing writes mails, which would have the new text (STEPUP-2).
 */
export async function updateNews(
  deps: Dependencies,
  { principal, actor }: Omit<Publisher, "origin">,
  id: string,
  { text, ...changes }: Partial<Omit<PublishNews, "mail">>,
): Promise<News> {
  if (text === undefined && Object.keys(changes).length === 0) throw new ProductError("invalid_input");
  const row = await transaction(deps.db, async (tx) => {
    const edited = { ...changes, ...(text !== undefined && { body: text }), edited_at: deps.clock.now() };
    const before = await queries.lockById(tx, id);
    if (!before) throw new ProductError("news_not_found");
    if (await queries.isMailing(tx, id)) requireProven(principal, deps.clock.now());
    await queries.updateNews(tx, id, edited);
    const after = await queries.findById(tx, id);
    await audit(deps, tx, actor, "news.update", id, { title: after!.title, before: audited(before), after: audited(after!) });
    return after;
  });
  return newsView(row!, "admin");
}

/** Deletes an announcement and drops its mails that were not sent yet. Throws `news_not_found`. */
export function deleteNews(deps: Dependencies, actor: Actor, id: string): Promise<void> {
  return transaction(deps.db, async (tx) => {
    const before = await queries.lockById(tx, id);
    if (!before) throw new ProductError("news_not_found");
    await queries.deleteNews(tx, id);
    await deps.outbox.cancel(tx, mailsKey(id), "Not sent, because the announcement was deleted.");
    await audit(deps, tx, actor, "news.delete", id, { title: before.title, before: audited(before) });
  });
}

function audited({ title, body, audience }: Pick<queries.NewsRow, "title" | "body" | "audience">) {
  return { title, text: body, audience };
}

function audit(
  deps: Dependencies,
  connection: Connection,
  actor: Actor,
  action: ChangeAction,
  id: string,
  details: AuditedChange,
): Promise<void> {
  return recordAudit(connection, actor, { at: deps.clock.now(), action, subject: { type: "news", id }, details });
}
