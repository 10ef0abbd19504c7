import { plannedWeeks } from "#domain/live-sessions/occurrences";
import { BackgroundJob, type JobParts } from "../../platform/background-job.ts";
import { secondsAfter } from "../../platform/clock.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { planOccurrences } from "./plan.ts";
import * as queries from "./queries.ts";
import { correctingReminders } from "./reminders/correct.ts";
import { remindStudents, type ReminderParts } from "./reminders/remind.ts";

/** Reminders are sent at most this late. */
const pollMs = 30_000;

export type LiveSessionJobParts = ReminderParts & JobParts;

/** Plans weekly sessions ahead, and sends reminders: every half minute, and when a session changes. */
export function liveSessionJob(parts: LiveSessionJobParts): BackgroundJob {
  const { changes, onError } = parts;
  return new BackgroundJob({
    changes,
    onError,
    topic: "live-sessions",
    pollMs,
    tasks: [
      { failure: "Live sessions could not be planned ahead", run: (stop) => planOn(parts, stop) },
      { failure: "Reminders of live sessions wait", run: (stop) => remindStudents(parts, stop) },
    ],
  });
}

/** Plans a weekly session again once a week of its half year has passed. */
async function planOn(parts: LiveSessionJobParts, stop: AbortSignal): Promise<void> {
  const { db, clock } = parts;
  const now = clock.now();
  const lastDay = secondsAfter(now, (plannedWeeks - 1) * 7 * 24 * 3600);
  for (const id of await queries.findAllUnplanned(db, lastDay)) {
    if (stop.aborted) return;
    await transaction(db, async (tx) => {
      const session = await queries.lockSession(tx, id);
      // The rules of its time zone may have changed since, which moves occurrences.
      if (session) await correctingReminders(parts, tx, id, () => planOccurrences(tx, session, now));
    });
  }
}
