import { reminderMinutes } from "#domain/live-sessions/live-session";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { cancelledMail, movedMail } from "./mail.ts";
import * as queries from "./queries.ts";
import { senderOf, type ReminderParts } from "./remind.ts";

/**
 * Runs a change of a locked session, and mails those who were reminded of an occurrence that no longer takes place, or at another time
 * (LIVESESSION-7). Students are reminded again of one that now starts in more than an hour.
 */
export async function correctingReminders<Result>(
  parts: ReminderParts,
  tx: Transaction,
  sessionId: string,
  change: () => Promise<Result>,
): Promise<Result> {
  const now = parts.clock.now();
  await queries.lockUpcoming(tx, sessionId, now);
  const reminded = await queries.findReminded(tx, sessionId, now);
  const result = await change();
  const ids = [...new Set(reminded.map(({ occurrence }) => occurrence.id))];
  const starts = ids.length === 0 ? new Map<string, Date>() : await queries.findStarts(tx, ids);
  const sender = senderOf(parts);
  for (const { occurrence, recipient } of reminded) {
    const start = starts.get(occurrence.id);
    if (start === undefined) await parts.outbox.enqueue(tx, cancelledMail(sender, recipient, occurrence));
    else if (start.getTime() !== occurrence.starts_at.getTime())
      await parts.outbox.enqueue(tx, movedMail(sender, recipient, occurrence, start));
  }
  for (const id of ids) {
    const start = starts.get(id);
    const isSoon = start !== undefined && start <= secondsAfter(now, reminderMinutes * 60);
    await (isSoon ? queries.updateReminders(tx, id, start) : queries.deleteReminders(tx, id));
  }
  return result;
}
