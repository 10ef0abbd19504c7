import { and, desc, eq, ne, notExists, sql } from "drizzle-orm";
import { filmParts } from "#domain/watch/statistics";
import type { Connection } from "../../../platform/db/database.ts";
import { exactTime } from "../../../platform/db/exact-time.ts";
import { accounts, paymentRequests, profiles, videoProgress } from "../../../platform/db/schema.ts";

/** How many students of a video are done, or stopped in a part of it; `part` is null where the film's length is unknown. */
export interface PartCount {
  video_id: string;
  done: boolean;
  part: number | null;
  students: number;
}

/**
 * Returns the counts of every video that students have begun. Reads the whole table, which parallel workers do in 0.3 seconds for a
 * million rows; an index would slow down every save of a position instead.
 */
export function countByPart(connection: Connection): Promise<PartCount[]> {
  const { video_id, done, furthest_seconds, duration_seconds, account_id } = videoProgress;
  // Truncated, not rounded. The end of the film belongs to its last part. `least` alone would turn null into 9.
  const part = sql<number | null>`case when ${duration_seconds} > 0
    then least(trunc(${filmParts} * ${furthest_seconds} / ${duration_seconds})::int, ${filmParts - 1}) end`;
  const isAdmin = sql`(select id from ${accounts} where role = 'admin')`;
  return connection
    .select({ video_id, done, part: part.as("part"), students: sql<number>`count(*)::int` })
    .from(videoProgress)
    .where(sql`${account_id} is distinct from ${isAdmin}`)
    .groupBy(video_id, done, sql`part`);
}

export interface NotBegunPage {
  /** Approved at this time or before. */
  approvedBy: Date;
  /** Sort keys of the last row of the page before. */
  after: { approvedAt: string; id: string } | undefined;
  limit: number;
}

const notBegunColumns = {
  id: accounts.id,
  email: accounts.email,
  full_name: profiles.full_name,
  subscription_status: profiles.subscription_status,
};

export type NotBegunRow = Awaited<ReturnType<typeof findAllNotBegun>>[number];

/** Returns students with a package and without any progress, by their first approval, the newest first. */
export function findAllNotBegun(connection: Connection, { approvedBy, after, limit }: NotBegunPage) {
  const approval = connection
    .select({ approved_at: sql<string>`min(${paymentRequests.decided_at})`.as("approved_at") })
    .from(paymentRequests)
    .where(and(eq(paymentRequests.user_id, accounts.id), eq(paymentRequests.status, "approved")))
    .as("approval");
  const progress = connection
    .select({ one: sql`1` })
    .from(videoProgress)
    .where(eq(videoProgress.account_id, accounts.id));
  return connection
    .select({
      ...notBegunColumns,
      approved_at_exact: exactTime(approval.approved_at),
    })
    .from(accounts)
    .innerJoin(profiles, eq(profiles.id, accounts.id))
    .crossJoinLateral(approval)
    .where(
      and(
        eq(accounts.role, "student"),
        ne(profiles.subscription_status, "unpaid"),
        notExists(progress),
        sql`${approval.approved_at} <= ${approvedBy.toISOString()}::timestamptz`,
        after && sql`(${approval.approved_at}, ${accounts.id}) < (${after.approvedAt}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(approval.approved_at), desc(accounts.id))
    .limit(limit);
}
