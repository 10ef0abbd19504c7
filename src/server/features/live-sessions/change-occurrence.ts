import type { LiveOccurrence, OccurrenceChanges } from "#domain/api/course/live-sessions";
import { ProductError } from "#domain/errors/messages";
import { comingOccurrences, occurrenceOn } from "#domain/live-sessions/occurrences";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor } from "../../platform/audit.ts";
import { violatesForeignKey } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Principal } from "../../platform/http/access.ts";
import * as queries from "./queries.ts";
import { correctingReminders } from "./reminders/correct.ts";
import { occurrenceView } from "./views.ts";

/**
 * Cancels an occurrence or takes that back, moves it in the time zone of its session, or names the lesson that was made of it; returns it
 * (LIVESESSION-4). Throws `live_session_not_found`, `live_session_begun`, `live_session_in_past`, `live_session_unplanned`,
 * `live_session_not_begun` for a recording, `video_not_found`, and `invalid_input` without any change.
 */
export async function changeOccurrence(
  deps: Dependencies,
  admin: Principal,
  actor: Actor,
  id: string,
  changes: OccurrenceChanges,
): Promise<LiveOccurrence> {
  if (Object.keys(changes).length === 0) throw new ProductError("invalid_input");
  const now = deps.clock.now();
  const changed = await transaction(deps.db, async (tx) => {
    const sessionId = (await queries.findOccurrence(tx, id))?.session_id;
    const session = sessionId === undefined ? undefined : await queries.lockSession(tx, sessionId);
    const before = session && (await queries.findOccurrence(tx, id));
    if (!session || !before) throw new ProductError("live_session_not_found");
    const columns = columnsOf(session, before, changes, now);
    const change = () => queries.updateOccurrence(tx, id, { ...columns, updated_at: now });
    await correctingReminders(deps, tx, session.id, change).catch((error: unknown) => {
      throw violatesForeignKey(error) ? new ProductError("video_not_found") : error;
    });
    const after = await queries.findOccurrence(tx, id);
    await recordAudit(tx, actor, {
      at: now,
      action: "live-session.change-occurrence",
      subject: { type: "live-session", id: session.id },
      details: { occurrence_id: id, title: session.title, date: before.date, before: audited(before), after: audited(after!) },
    });
    return after;
  });
  return occurrenceView(changed!, admin);
}

function audited({ starts_at, cancelled, video_id }: queries.OccurrenceRow) {
  return { starts_at, cancelled, video_id };
}

function columnsOf(
  session: queries.LiveSessionRow,
  before: queries.OccurrenceRow,
  { cancelled, moved_to, video_id }: OccurrenceChanges,
  now: Date,
): Partial<queries.OccurrenceRow> {
  const hasBegun = before.starts_at <= now;
  if (hasBegun && (cancelled !== undefined || moved_to !== undefined)) throw new ProductError("live_session_begun");
  if (video_id != null && (!hasBegun || before.cancelled)) throw new ProductError("live_session_not_begun");
  return {
    ...(cancelled !== undefined && { cancelled }),
    ...(video_id !== undefined && { video_id }),
    ...(moved_to !== undefined && movedTimes(session, before, moved_to, now)),
  };
}

/** Returns the times of an occurrence at another day and time, or those of the plan. Throws `live_session_in_past` and `live_session_unplanned`. */
function movedTimes(
  session: queries.LiveSessionRow,
  { date }: queries.OccurrenceRow,
  moved_to: { date: string; time: string } | null,
  now: Date,
): Pick<queries.OccurrenceRow, "starts_at" | "ends_at" | "moved"> {
  const { starts_at, ends_at } = occurrenceOn(session, moved_to?.date ?? date, moved_to?.time ?? session.time);
  if (starts_at <= now) throw new ProductError("live_session_in_past");
  // The next change of the plan would delete it as one that is not planned.
  if (moved_to === null && !comingOccurrences(session, now).some((planned) => planned.date === date))
    throw new ProductError("live_session_unplanned");
  return { starts_at, ends_at, moved: moved_to !== null };
}
