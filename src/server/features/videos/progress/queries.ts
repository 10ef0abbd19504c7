import { and, eq, sql } from "drizzle-orm";
import type { LessonProgress } from "#domain/api/course/videos";
import { doneShare } from "#domain/watch/progress";
import type { Connection } from "../../../platform/db/database.ts";
import { films, videoProgress, videos } from "../../../platform/db/schema.ts";

/** Where a viewer is in a lesson, in seconds. */
export interface WatchedPosition {
  accountId: string;
  videoId: string;
  position: number;
  /** 0 while it is not known. */
  duration: number;
  /** As marked by hand; null leaves it to the position. */
  done: boolean | null;
  /** The position whose passing makes the lesson done; null while the length is not known. */
  doneFrom: number | null;
  now: Date;
}

/**
 * Returns where a viewer is in a lesson; null before it was first played. The position is 0 where its film is not longer, since it may have
 * replaced a longer one.
 */
export async function findProgress(connection: Connection, accountId: string, videoId: string): Promise<LessonProgress | null> {
  const { position_seconds, done, account_id, video_id } = videoProgress;
  const position = sql<number>`case when ${films.duration_seconds} <= ${position_seconds} then 0 else ${position_seconds} end`;
  const [row] = await connection
    .select({ position_seconds: position, done })
    .from(videoProgress)
    .innerJoin(videos, eq(videos.id, video_id))
    .leftJoin(films, eq(films.object_id, videos.object_id))
    .where(and(eq(account_id, accountId), eq(video_id, videoId)));
  return row ?? null;
}

/** Returns every video with its viewer's progress, which is null before it was first played. */
export function findAllProgress(connection: Connection, accountId: string) {
  const { done, updated_at, account_id, video_id } = videoProgress;
  return connection
    .select({ package_type: videos.package_type, done, updated_at })
    .from(videos)
    .leftJoin(videoProgress, and(eq(video_id, videos.id), eq(account_id, accountId)));
}

/** Stores a position in one statement, so that two devices at once lose nothing, and returns what is stored. */
export async function upsertProgress(connection: Connection, watched: WatchedPosition): Promise<LessonProgress> {
  const { accountId, videoId, position, duration, now } = watched;
  const byHand = sql`${watched.done}::boolean`;
  const end = sql`${watched.doneFrom}::double precision`;
  const stored = videoProgress;
  // A position in a film of another length says nothing about this one.
  const hasOtherLength = sql`abs(${stored.duration_seconds} - ${duration}::double precision) > 1`;
  const isReplaced = sql`(${duration}::double precision > 0 and (${stored.furthest_seconds} > ${duration}::double precision + 1
    or (${stored.duration_seconds} > 0 and ${hasOtherLength})))`;
  // By the length of its own time: a film may be replaced, and players state one film's length in different ways.
  const storedEnd = sql`${doneShare}::double precision * ${stored.duration_seconds}`;
  const wasBefore = sql`(${stored.duration_seconds} = 0 or ${stored.position_seconds} < ${storedEnd})`;
  const first = sql<boolean>`coalesce(${byHand}, ${position}::double precision >= ${end}, false)`;
  const next = sql<boolean>`coalesce(${byHand}, ${stored.done} or (${wasBefore} and ${position}::double precision >= ${end}), ${stored.done})`;
  const [saved] = await connection
    .insert(videoProgress)
    .values({
      account_id: accountId,
      video_id: videoId,
      position_seconds: position,
      furthest_seconds: position,
      duration_seconds: duration,
      done: first,
      done_at: sql`case when ${first} then ${now.toISOString()}::timestamptz end`,
      started_at: now,
      updated_at: now,
    })
    .onConflictDoUpdate({
      target: [stored.account_id, stored.video_id],
      set: {
        // A film of unknown length has no position.
        position_seconds: sql`case when ${duration}::double precision > 0 then ${position}::double precision else ${stored.position_seconds} end`,
        furthest_seconds: sql`greatest(case when not ${isReplaced} then ${stored.furthest_seconds} end, ${position}::double precision)`,
        duration_seconds: sql`coalesce(nullif(${duration}::double precision, 0), ${stored.duration_seconds})`,
        done: next,
        done_at: sql`case when ${next} then coalesce(${stored.done_at}, ${now.toISOString()}::timestamptz) end`,
        updated_at: now,
      },
    })
    .returning({ position_seconds: stored.position_seconds, done: stored.done });
  return saved as LessonProgress;
}
