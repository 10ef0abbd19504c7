import { reminderMinutes } from "#domain/live-sessions/live-session";
import type { Dependencies } from "../../../dependencies.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import { lockKeys, tryLock } from "../../../platform/db/locks.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { originWithoutRequest } from "../../../platform/http/origin.ts";
import { choiceLinks, stillWanting } from "../../mail-choices/service.ts";
import { reminderMail, type Sender } from "./mail.ts";
import * as queries from "./queries.ts";

export type ReminderParts = Pick<Dependencies, "config" | "secrets" | "db" | "clock" | "outbox">;

/** Students per transaction. */
const batchSize = 200;

/**
 * Mails the students who want it a reminder of each occurrence that starts within an hour, once for each (LIVESESSION-6). Mail and record
 * are written in one transaction. Processes that run it at the same time leave it to one of them.
 */
export async function remindStudents(parts: ReminderParts, signal: AbortSignal): Promise<void> {
  const now = parts.clock.now();
  for (const id of await queries.findAllDue(parts.db, now, hourAfter(now))) {
    while (!signal.aborted && (await remindBatch(parts, id)) === batchSize);
  }
}

/** Returns how many students were found; fewer than a batch when there are no more. */
function remindBatch(parts: ReminderParts, id: string): Promise<number> {
  return transaction(parts.db, async (tx) => {
    const isLocked = await tryLock(tx, lockKeys.liveReminders);
    const now = parts.clock.now();
    const occurrence = isLocked ? await queries.lockDue(tx, id, now, hourAfter(now)) : undefined;
    const found = occurrence ? await queries.findAllNotReminded(tx, id, batchSize) : [];
    const students = await stillWanting(tx, "live_session_reminder", found);
    if (occurrence === undefined || students.length === 0) return found.length;
    await queries.upsertReminders(tx, occurrence, students);
    const sender = senderOf(parts);
    for (const student of students) {
      const choices = choiceLinks(parts.secrets, sender.origin, student.id, "live_session_reminder");
      await parts.outbox.enqueue(tx, reminderMail(sender, student, occurrence, choices));
    }
    return found.length;
  });
}

const hourAfter = (time: Date): Date => secondsAfter(time, reminderMinutes * 60);

/** Returns the site and the origin for mails about live sessions. */
export function senderOf({ config }: Pick<ReminderParts, "config">): Sender {
  return { site: config.site, origin: originWithoutRequest(config.server) };
}
