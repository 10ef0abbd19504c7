import { reminderMinutes } from "#domain/live-sessions/live-session";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { cancelledMail, movedMail, reminderKey, restoredMail } from "./mail.ts";
import * as queries from "./queries.ts";
import { senderOf, type ReminderParts } from "./remind.ts";

/**
 * Runs a change of a locked session, and mails those who were reminded of an occurrence that no longer takes place, at another time, or
 * after all (LIVESESSION-7); where the reminder was not sent yet, neither is sent. Students are reminded again of one that now starts in more than an hour.
 */
export async function correctingReminders<Result>(
  parts: ReminderParts,
  tx: Transaction,
  sessionId: string,
  change: () => Promise<Result>,
): Promise<Result> {
  const now = parts.clock.now();
  const inAnHour = secondsAfter(now, reminderMinutes * 60);
  await queries.lockUpcoming(tx, sessionId, now);
  const reminded = await queries.findAllReminded(tx, sessionId, now);
  const result = await change();
  const starts = await queries.findAllStarts(tx, idsOf(reminded));
  const isChanged = ({ occurrence, isCancelled }: queries.Reminded) =>
    starts.get(occurrence.id)?.getTime() !== (isCancelled ? undefined : occurrence.starts_at.getTime());
  const changed = reminded.filter(isChanged);
  await mailChanges(parts, tx, changed, starts);
  for (const id of idsOf(changed)) {
    const start = starts.get(id);
    const record = start === undefined ? { remind_again: true } : { starts_at: start, remind_again: start > inAnHour };
    await queries.updateReminders(tx, id, record);
  }
  await queries.updateCancelledStarts(tx, sessionId);
  return result;
}

const idsOf = (reminded: queries.Reminded[]): string[] => [...new Set(reminded.map(({ occurrence }) => occurrence.id))];

/** Those who lost Advanced, or whose reminder cannot have arrived, get no mail and count as not reminded. */
async function mailChanges(
  parts: ReminderParts,
  tx: Transaction,
  changed: queries.Reminded[],
  starts: Map<string, Date>,
): Promise<void> {
  const sender = senderOf(parts);
  const keyOf = ({ occurrence, recipient }: queries.Reminded) => reminderKey(occurrence.id, recipient.id);
  const unknown = await parts.outbox.withdrawAll(tx, changed.map(keyOf), "Not sent, because the live session was changed.");
  for (const one of changed) {
    const { occurrence, recipient, hasAdvanced, isCancelled } = one;
    const start = starts.get(occurrence.id);
    if (!hasAdvanced || unknown.has(keyOf(one))) await queries.deleteReminder(tx, occurrence.id, recipient.id);
    else if (start === undefined) await parts.outbox.enqueue(tx, cancelledMail(sender, recipient, occurrence));
    else if (isCancelled) await parts.outbox.enqueue(tx, restoredMail(sender, recipient, occurrence, start));
    else await parts.outbox.enqueue(tx, movedMail(sender, recipient, occurrence, start));
  }
}
