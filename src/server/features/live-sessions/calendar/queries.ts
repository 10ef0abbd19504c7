import { and, asc, eq, gt, isNotNull, sql } from "drizzle-orm";
import type { Viewer } from "#domain/video-access";
import type { Connection } from "../../../platform/db/database.ts";
import { accounts, calendarLinks, liveOccurrences, liveSessions, profiles } from "../../../platform/db/schema.ts";

const version = sql<number>`coalesce(${calendarLinks.version}, 0)`;

/** Returns how often an account had a new link. */
export async function findVersion(connection: Connection, accountId: string): Promise<number> {
  const [row] = await connection.select().from(calendarLinks).where(eq(calendarLinks.account_id, accountId));
  return row?.version ?? 0;
}

/** Counts a new link and returns how many there were. */
export async function incrementVersion(connection: Connection, accountId: string, now: Date): Promise<number> {
  const [row] = await connection
    .insert(calendarLinks)
    .values({ account_id: accountId, version: 1, renewed_at: now })
    .onConflictDoUpdate({
      target: calendarLinks.account_id,
      set: { version: sql`${calendarLinks.version} + 1`, renewed_at: now },
    })
    .returning();
  return row!.version;
}

/** Returns the role and tier of a verified account as they are now, with the version of its link. */
export async function findOwner(
  connection: Connection,
  accountId: string,
): Promise<(Viewer & { version: number }) | undefined> {
  const [row] = await connection
    .select({ role: accounts.role, subscription_status: profiles.subscription_status, version })
    .from(accounts)
    .innerJoin(profiles, eq(profiles.id, accounts.id))
    .leftJoin(calendarLinks, eq(calendarLinks.account_id, accounts.id))
    .where(and(eq(accounts.id, accountId), isNotNull(accounts.email_verified_at)));
  return row;
}

const entry = {
  id: liveOccurrences.id,
  starts_at: liveOccurrences.starts_at,
  ends_at: liveOccurrences.ends_at,
  cancelled: liveOccurrences.cancelled,
  title: liveSessions.title,
  description: liveSessions.description,
  created_at: liveSessions.created_at,
  sequence: sql<number>`${liveSessions.sequence} + ${liveOccurrences.sequence}`,
  updated_at: sql<Date>`greatest(${liveSessions.updated_at}, ${liveOccurrences.updated_at})`.mapWith(
    liveOccurrences.updated_at,
  ),
};

/** Returns at most `limit` occurrences that end after a time, in their order; of one alone where an id is given. */
export function findAllCalendarEntries(
  connection: Connection,
  after: Date,
  limit: number,
  occurrenceId?: string,
): Promise<CalendarEntry[]> {
  return connection
    .select(entry)
    .from(liveOccurrences)
    .innerJoin(liveSessions, eq(liveSessions.id, liveOccurrences.session_id))
    .where(
      and(gt(liveOccurrences.ends_at, after), occurrenceId === undefined ? undefined : eq(liveOccurrences.id, occurrenceId)),
    )
    .orderBy(asc(liveOccurrences.starts_at), asc(liveOccurrences.id))
    .limit(limit);
}

/** An occurrence as a calendar has it. */
export interface CalendarEntry {
  id: string;
  starts_at: Date;
  ends_at: Date;
  cancelled: boolean;
  title: string;
  description: string;
  /** Counts the changes. */
  sequence: number;
  created_at: Date;
  updated_at: Date;
}
