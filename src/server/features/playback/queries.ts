import { and, desc, eq, gt, isNull, lt, lte, ne, sql, type SQL } from "drizzle-orm";
import type { PlayingCounts } from "#domain/playback/sharing";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { isNotEnded } from "../../platform/db/session-lifetime.ts";
import { accounts, playingDays, playingSessions, sessions } from "../../platform/db/schema.ts";
import { deleteRows } from "../../platform/retention/delete-rows.ts";

/** Locks an account until the transaction ends, so that its devices take turns; false when it is deleted. */
export async function lockAccount(tx: Transaction, id: string): Promise<boolean> {
  // Stryker disable next-line ObjectLiteral: only the number of rows is read.
  const rows = await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, id)).for("no key update");
  return rows.length === 1;
}

export interface PlayingSince {
  /** The account, and the session that is left out. */
  accountId: string;
  sessionId: string;
  /** Sessions without a sign of playing since then have stopped. */
  playedAfter: Date;
  /** A sign of playing after that is of a clock that was wrong, and does not count. */
  playedBefore: Date;
  /** Sessions that began before have ended. */
  startedAfter: Date;
}

/** Returns the condition of the account's other sessions that play, of a query that joins `sessions`. */
function othersPlay({ accountId, sessionId, playedAfter, playedBefore, startedAfter }: PlayingSince): SQL | undefined {
  return and(
    eq(playingSessions.account_id, accountId),
    ne(playingSessions.session_id, sessionId),
    isNull(playingSessions.displaced_at),
    gt(playingSessions.played_at, playedAfter),
    lte(playingSessions.played_at, playedBefore),
    isNotEnded(startedAfter),
  );
}

/** Returns the account's other sessions that play, the newest sign first. */
export async function findAllOthersPlaying(tx: Transaction, since: PlayingSince): Promise<string[]> {
  const rows = await tx
    .select({ id: playingSessions.session_id })
    .from(playingSessions)
    .innerJoin(sessions, eq(sessions.id, playingSessions.session_id))
    .where(othersPlay(since))
    .orderBy(desc(playingSessions.played_at), playingSessions.session_id);
  return rows.map((row) => row.id);
}

/** Writes whether a session plays; nothing when it was deleted. */
export async function upsertPlaying(tx: Transaction, row: typeof playingSessions.$inferSelect): Promise<void> {
  const displacedAt = row.displaced_at?.toISOString() ?? null;
  await tx.execute(sql`
    insert into playing_sessions (session_id, account_id, played_at, displaced_at)
    select id, account_id, ${row.played_at.toISOString()}::timestamptz, ${displacedAt}::timestamptz
    from sessions where id = ${row.session_id} and account_id = ${row.account_id} for key share
    on conflict (session_id) do update set played_at = excluded.played_at, displaced_at = excluded.displaced_at`);
}

export async function displace(tx: Transaction, sessionId: string, at: Date): Promise<void> {
  await tx.update(playingSessions).set({ displaced_at: at }).where(eq(playingSessions.session_id, sessionId));
}

/** Writes a sign of playing, unless another was written after `signBefore`, or the session has stopped or was displaced. */
export async function updatePlayed(
  connection: Connection,
  sessionId: string,
  times: { at: Date; signBefore: Date; playedAfter: Date },
): Promise<void> {
  await connection
    .update(playingSessions)
    .set({ played_at: times.at })
    .where(
      and(
        eq(playingSessions.session_id, sessionId),
        isNull(playingSessions.displaced_at),
        lte(playingSessions.played_at, times.signBefore),
        gt(playingSessions.played_at, times.playedAfter),
      ),
    );
}

/** What a student's playing on some days adds up to. */
export interface CountedAccount extends PlayingCounts {
  user_id: string;
  email: string;
  full_name: string;
  /** The highest count, in percent of where it is unusual. */
  unusual: number;
  last_played_on: string;
}

/** Returns students with an unusual count since a day (`YYYY-MM-DD`), the most unusual first, after a position. */
export async function findAllUnusual(
  connection: Connection,
  page: { since: string; unusualFrom: PlayingCounts; after: { unusual: number; id: string } | undefined; limit: number },
): Promise<CountedAccount[]> {
  const { since, unusualFrom, after, limit } = page;
  const isAfter = after
    ? sql`and (unusual < ${after.unusual} or (unusual = ${after.unusual} and account_id > ${after.id}::uuid))`
    : sql``;
  const { rows } = await connection.execute<Record<keyof CountedAccount, never>>(sql`
    with counted as (
      select account_id, count(distinct network_hash)::int as networks, count(distinct device_hash)::int as devices,
        sum(displaced)::int as displaced, max(day)::text as last_played_on
      from playing_days where day >= ${since}::date group by account_id
    ), ranked as (
      select counted.*, greatest(networks * 100 / ${unusualFrom.networks}::int, devices * 100 / ${unusualFrom.devices}::int,
        displaced * 100 / ${unusualFrom.displaced}::int) as unusual
      from counted
    )
    select account_id as user_id, email, full_name, networks, devices, displaced, unusual, last_played_on
    from ranked join profiles on profiles.id = account_id
    where unusual >= 100 ${isAfter}
    order by unusual desc, account_id limit ${limit}`);
  return rows;
}

export function deleteDaysBefore(connection: Connection, day: string, limit: number): Promise<number> {
  return deleteRows(connection, playingDays, lt(playingDays.day, day), limit);
}

/** Counts a play on its day, and the devices that it displaced. */
export async function upsertDay(tx: Transaction, row: Required<typeof playingDays.$inferInsert>): Promise<void> {
  await tx
    .insert(playingDays)
    .values(row)
    .onConflictDoUpdate({
      target: [playingDays.account_id, playingDays.day, playingDays.network_hash, playingDays.device_hash],
      set: { displaced: sql`${playingDays.displaced} + excluded.displaced` },
    });
}
