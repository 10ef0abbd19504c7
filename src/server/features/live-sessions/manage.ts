import type { LiveSession, LiveSessionChanges, NewLiveSession } from "#domain/api/course/live-sessions";
import { ProductError } from "#domain/errors/messages";
import { occurrenceOn, plannedUntil } from "#domain/live-sessions/occurrences";
import type { Dependencies } from "../../dependencies.ts";
import { auditedRow, recordAudit, type Actor, type ChangeAction, type ChangedRow } from "../../platform/audit.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Principal } from "../../platform/http/access.ts";
import { inputHash, requireSameInput } from "../../platform/idempotency.ts";
import { planOccurrences } from "./plan.ts";
import * as queries from "./queries.ts";
import { correctingReminders } from "./reminders/correct.ts";
import { liveSessionView } from "./views.ts";

/**
 * Plans a session and returns it, and returns the same one for the same key (LIVESESSION-1). Throws `live_session_ends_early`,
 * `live_session_in_past` when no occurrence of it is to come, `idempotency_key_reused`, and `live_session_not_found` when the one of the key
 * is deleted meanwhile.
 */
export async function createLiveSession(
  deps: Dependencies,
  admin: Principal,
  actor: Actor,
  given: NewLiveSession,
  idempotencyKey: string | undefined,
): Promise<LiveSession> {
  const now = deps.clock.now();
  const plan = checked(given);
  const sha256 = inputHash(plan);
  const key = idempotencyKey === undefined ? {} : { idempotency_key: idempotencyKey, idempotency_sha256: sha256 };
  const id = await transaction(deps.db, async (tx) => {
    const planned_until = plannedUntil(plan, now);
    const row = await queries.insertSession(tx, { ...plan, ...key, planned_until, created_at: now, updated_at: now });
    if (!row) {
      const planned = await queries.findByIdempotencyKey(tx, idempotencyKey!);
      // Deleted since the insert found it.
      if (!planned) throw new ProductError("live_session_not_found");
      requireSameInput(planned, sha256);
      return planned.id;
    }
    if (!(await planOccurrences(tx, row, now))) throw new ProductError("live_session_in_past");
    await audit(tx, actor, now, "live-session.create", { after: row });
    return row.id;
  });
  return viewOf(deps, admin, id);
}

/**
 * Changes a session and returns it. Occurrences that have not begun follow the new plan, except those that were moved individually.
 * Throws `live_session_not_found`, `live_session_ends_early`, `live_session_in_past` when a single session is put into the past,
 * `live_session_begun` when it is put to a later time of a day on which it has begun, and `invalid_input` without any change.
 */
export async function updateLiveSession(
  deps: Dependencies,
  admin: Principal,
  actor: Actor,
  id: string,
  changes: LiveSessionChanges,
): Promise<LiveSession> {
  if (Object.keys(changes).length === 0) throw new ProductError("invalid_input");
  const now = deps.clock.now();
  await transaction(deps.db, async (tx) => {
    const before = await lock(tx, id);
    const row = await queries.updateSession(tx, id, { ...checked({ ...before, ...changes }), updated_at: now });
    if (isReplanned(before, row)) await correctingReminders(deps, tx, id, () => planAnew(tx, before, row, now));
    await audit(tx, actor, now, "live-session.update", { before, after: row });
  });
  return viewOf(deps, admin, id);
}

/** Deletes a session with all its occurrences; recordings stay as lessons. Throws `live_session_not_found`. */
export function deleteLiveSession(deps: Dependencies, actor: Actor, id: string): Promise<void> {
  return transaction(deps.db, async (tx) => {
    const row = await lock(tx, id);
    await correctingReminders(deps, tx, id, () => queries.deleteSession(tx, id));
    await audit(tx, actor, deps.clock.now(), "live-session.delete", { before: row });
  });
}

/** Deletes sessions as part of another action, which has the audit entry; those that are gone are left out. */
export async function removeLiveSessions(deps: Dependencies, tx: Transaction, ids: string[]): Promise<void> {
  for (const id of ids.toSorted()) {
    if (await queries.lockSession(tx, id)) await correctingReminders(deps, tx, id, () => queries.deleteSession(tx, id));
  }
}

async function planAnew(
  tx: Transaction,
  before: queries.LiveSessionRow,
  session: queries.LiveSessionRow,
  now: Date,
): Promise<void> {
  if (!before.weekly && !session.weekly)
    await queries.updatePlannedDay(tx, session.id, { from: before.date, to: session.date }, now);
  const isComing = await planOccurrences(tx, session, now);
  // The title or length of a past single session may still be changed.
  const isSameStart = startFields.every((field) => before[field] === session[field]);
  if (isComing || session.weekly || (isSameStart && !before.weekly)) return;
  const { starts_at } = occurrenceOn(session, session.date, session.time);
  throw new ProductError(starts_at > now ? "live_session_begun" : "live_session_in_past");
}

const startFields = ["date", "time", "time_zone"] as const;
const planFields = [...startFields, "duration_minutes", "weekly", "ends_on"] as const;

function isReplanned(before: queries.LiveSessionRow, after: queries.LiveSessionRow): boolean {
  return planFields.some((field) => before[field] !== after[field]);
}

/** Returns the fields of a session; a single one has no last day. Throws `live_session_ends_early`. */
function checked(given: NewLiveSession): Required<NewLiveSession> & { ends_on: string | null } {
  const { title, description, join_url, date, time, time_zone, duration_minutes, weekly } = given;
  const ends_on = weekly ? (given.ends_on ?? null) : null;
  if (ends_on !== null && ends_on < date) throw new ProductError("live_session_ends_early");
  return { title, description, join_url, date, time, time_zone, duration_minutes, weekly, ends_on };
}

async function lock(tx: Transaction, id: string): Promise<queries.LiveSessionRow> {
  const row = await queries.lockSession(tx, id);
  if (!row) throw new ProductError("live_session_not_found");
  return row;
}

async function viewOf(deps: Dependencies, viewer: Principal, id: string): Promise<LiveSession> {
  const row = await queries.findSession(deps.db, id, deps.clock.now());
  if (!row) throw new ProductError("live_session_not_found");
  return liveSessionView(row, viewer);
}

function audit(
  tx: Transaction,
  actor: Actor,
  at: Date,
  action: ChangeAction,
  row: ChangedRow<queries.LiveSessionRow>,
): Promise<void> {
  const { id, title } = "after" in row ? row.after : row.before;
  const details = { title, ...auditedRow(row, audited) };
  return recordAudit(tx, actor, { at, action, subject: { type: "live-session", id }, details });
}

/** Without the link to join, which Advanced students alone get (LIVESESSION-3). */
function audited({
  title,
  description,
  date,
  time,
  time_zone,
  duration_minutes,
  weekly,
  ends_on,
}: queries.LiveSessionRow): Partial<queries.LiveSessionRow> {
  return { title, description, date, time, time_zone, duration_minutes, weekly, ends_on };
}
