import { and, asc, desc, eq, getTableColumns, gt, inArray, isNotNull, lte, notInArray, or, sql, type SQL } from "drizzle-orm";
import type { OccurrenceList } from "#domain/api/course/live-sessions";
import type { PlannedOccurrence } from "#domain/live-sessions/occurrences";
import type { VideoPackageType } from "#domain/video-access";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { exactTime } from "../../platform/db/exact-time.ts";
import { liveOccurrences, liveSessions, videos } from "../../platform/db/schema.ts";

export type LiveSessionRow = typeof liveSessions.$inferSelect;
export type OccurrenceRow = typeof liveOccurrences.$inferSelect;

/** A session with the start of its next occurrence. */
export type ListedSession = LiveSessionRow & { created_at_exact: string; next_starts_at: Date | null };

/** An occurrence with what its session and its recording say. */
export type ListedOccurrence = OccurrenceRow &
  Pick<LiveSessionRow, "title" | "description" | "weekly" | "time_zone" | "join_url"> & {
    starts_at_exact: string;
    video_title: string | null;
    video_package: VideoPackageType | null;
  };

/** The sort keys of the last row of a page, after which the next page begins. */
export interface ListPosition {
  time: string;
  id: string;
}

/** Returns sessions, newest first, after a position. */
export function findAllSessions(
  connection: Connection,
  now: Date,
  limit: number,
  after?: ListPosition,
): Promise<ListedSession[]> {
  return connection
    .select(sessionColumns(now))
    .from(liveSessions)
    .where(after && sql`(${liveSessions.created_at}, ${liveSessions.id}) < (${after.time}::timestamptz, ${after.id}::uuid)`)
    .orderBy(desc(liveSessions.created_at), desc(liveSessions.id))
    .limit(limit);
}

export async function findSession(connection: Connection, id: string, now: Date): Promise<ListedSession | undefined> {
  const [row] = await connection.select(sessionColumns(now)).from(liveSessions).where(eq(liveSessions.id, id));
  return row;
}

const sessionColumns = (now: Date) => ({
  ...getTableColumns(liveSessions),
  created_at_exact: exactTime(liveSessions.created_at),
  next_starts_at: nextStart(now),
});

function nextStart(now: Date): SQL<Date | null> {
  return sql`(
    select min(starts_at) from live_occurrences
    where session_id = live_sessions.id and not cancelled and ends_at > ${now.toISOString()}::timestamptz
  )`.mapWith(liveOccurrences.starts_at);
}

/** Returns a session, locked until the transaction ends: whoever changes its occurrences locks it first. */
export async function lockSession(tx: Transaction, id: string): Promise<LiveSessionRow | undefined> {
  const [row] = await tx.select().from(liveSessions).where(eq(liveSessions.id, id)).for("update");
  return row;
}

/** Returns the new session; undefined when its idempotency key was used before. */
export async function insertSession(
  tx: Transaction,
  row: typeof liveSessions.$inferInsert,
): Promise<LiveSessionRow | undefined> {
  const [inserted] = await tx.insert(liveSessions).values(row).onConflictDoNothing().returning();
  return inserted;
}

export async function findByIdempotencyKey(connection: Connection, key: string): Promise<LiveSessionRow | undefined> {
  const [row] = await connection.select().from(liveSessions).where(eq(liveSessions.idempotency_key, key));
  return row;
}

/** Changes a session and counts the change; returns the changed one. */
export async function updateSession(tx: Transaction, id: string, changes: Partial<LiveSessionRow>): Promise<LiveSessionRow> {
  const [updated] = await tx
    .update(liveSessions)
    .set({ ...changes, sequence: sql`${liveSessions.sequence} + 1` })
    .where(eq(liveSessions.id, id))
    .returning();
  return updated!;
}

/** Stores up to which day a session has been planned, which no reply contains. */
export async function updatePlannedUntil(tx: Transaction, id: string, planned_until: string): Promise<void> {
  await tx.update(liveSessions).set({ planned_until }).where(eq(liveSessions.id, id));
}

export async function deleteSession(tx: Transaction, id: string): Promise<void> {
  await tx.delete(liveSessions).where(eq(liveSessions.id, id));
}

/** Returns the ids of weekly sessions that go on after a time, and are planned up to a day before it. */
export async function findAllUnplanned(connection: Connection, time: Date): Promise<string[]> {
  const { weekly, planned_until, ends_on } = liveSessions;
  const lastDay = sql`least(${time.toISOString()}::timestamptz::date, coalesce(${ends_on}, 'infinity'::date))`;
  const rows = await connection
    .select({ id: liveSessions.id })
    .from(liveSessions)
    .where(sql`${weekly} and ${planned_until} < ${lastDay}`);
  return rows.map(({ id }) => id);
}

/**
 * Writes the planned occurrences of a session. Those of the same day that have not begun take the new times, unless they were moved
 * individually; those that have begun stay as they were.
 */
export async function upsertOccurrences(
  tx: Transaction,
  sessionId: string,
  planned: readonly PlannedOccurrence[],
  now: Date,
): Promise<void> {
  if (planned.length === 0) return;
  await tx
    .insert(liveOccurrences)
    .values(planned.map((occurrence) => ({ ...occurrence, session_id: sessionId, updated_at: now })))
    .onConflictDoUpdate({
      target: [liveOccurrences.session_id, liveOccurrences.date],
      set: {
        starts_at: sql`excluded.starts_at`,
        ends_at: sql`excluded.ends_at`,
        sequence: sql`${liveOccurrences.sequence} + 1`,
        updated_at: sql`excluded.updated_at`,
      },
      setWhere: sql`not ${liveOccurrences.moved} and ${liveOccurrences.starts_at} > ${now.toISOString()}::timestamptz
        and (${liveOccurrences.starts_at}, ${liveOccurrences.ends_at}) is distinct from (excluded.starts_at, excluded.ends_at)`,
    });
}

/** Deletes occurrences that have not begun and whose day is not in the plan, unless they were moved individually. */
export async function deleteUnplanned(tx: Transaction, sessionId: string, days: readonly string[], now: Date): Promise<void> {
  const { session_id, date, moved, starts_at } = liveOccurrences;
  const isUnplanned = days.length === 0 ? undefined : notInArray(date, [...days]);
  await tx.delete(liveOccurrences).where(and(eq(session_id, sessionId), eq(moved, false), gt(starts_at, now), isUnplanned));
}

/**
 * Returns whether an occurrence of a session at a planned start has not ended, or one that was moved individually has not begun. One that
 * has begun at another time does not count.
 */
export async function existsComing(
  tx: Transaction,
  sessionId: string,
  planned: readonly PlannedOccurrence[],
  now: Date,
): Promise<boolean> {
  const { id, session_id, moved, starts_at, ends_at } = liveOccurrences;
  const starts = planned.map((occurrence) => occurrence.starts_at);
  const isOfPlan = or(and(eq(moved, true), gt(starts_at, now)), inArray(starts_at, starts));
  const isComing = and(eq(session_id, sessionId), gt(ends_at, now), isOfPlan);
  return (await tx.select({ id }).from(liveOccurrences).where(isComing).limit(1)).length > 0;
}

/**
 * Moves the occurrence of a single session that has not begun to another day of the plan, so that it stays the same one. Does nothing where
 * an occurrence has that day: a session that was weekly may have moved ones left.
 */
export async function updatePlannedDay(
  tx: Transaction,
  sessionId: string,
  { from, to }: { from: string; to: string },
  now: Date,
): Promise<void> {
  const { session_id, date, starts_at } = liveOccurrences;
  const isFree = sql`not exists (select from live_occurrences taken where taken.session_id = ${sessionId} and taken.date = ${to})`;
  await tx
    .update(liveOccurrences)
    .set({ date: to })
    .where(and(eq(session_id, sessionId), eq(date, from), gt(starts_at, now), isFree));
}

const listedColumns = {
  ...getTableColumns(liveOccurrences),
  starts_at_exact: exactTime(liveOccurrences.starts_at),
  title: liveSessions.title,
  description: liveSessions.description,
  weekly: liveSessions.weekly,
  time_zone: liveSessions.time_zone,
  join_url: liveSessions.join_url,
  video_title: videos.title,
  video_package: videos.package_type,
};

/** Returns occurrences that have not ended, the next first, or past ones, newest first, after a position. */
export function findAllOccurrences(
  connection: Connection,
  when: OccurrenceList,
  now: Date,
  limit: number,
  after?: ListPosition,
): Promise<ListedOccurrence[]> {
  const { starts_at, ends_at, id, video_id } = liveOccurrences;
  const isComing = when === "coming";
  const sign = sql.raw(isComing ? ">" : "<");
  const direction = isComing ? asc : desc;
  return connection
    .select(listedColumns)
    .from(liveOccurrences)
    .innerJoin(liveSessions, eq(liveSessions.id, liveOccurrences.session_id))
    .leftJoin(videos, eq(videos.id, video_id))
    .where(
      and(
        isComing ? gt(ends_at, now) : lte(ends_at, now),
        when === "recorded" ? isNotNull(video_id) : undefined,
        after && sql`(${starts_at}, ${id}) ${sign} (${after.time}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(direction(starts_at), direction(id))
    .limit(limit);
}

export async function findOccurrence(connection: Connection, id: string): Promise<ListedOccurrence | undefined> {
  const [row] = await connection
    .select(listedColumns)
    .from(liveOccurrences)
    .innerJoin(liveSessions, eq(liveSessions.id, liveOccurrences.session_id))
    .leftJoin(videos, eq(videos.id, liveOccurrences.video_id))
    .where(eq(liveOccurrences.id, id));
  return row;
}

/** Changes an occurrence and counts the change. */
export async function updateOccurrence(tx: Transaction, id: string, changes: Partial<OccurrenceRow>): Promise<void> {
  await tx
    .update(liveOccurrences)
    .set({ ...changes, sequence: sql`${liveOccurrences.sequence} + 1` })
    .where(eq(liveOccurrences.id, id));
}
