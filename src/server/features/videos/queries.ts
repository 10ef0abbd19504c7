import { and, asc, eq, getTableColumns, inArray, isNotNull, or, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Attachment } from "#domain/api/course/videos";
import type { SubscriptionStatus } from "#domain/packages";
import type { VideoPackageType } from "#domain/video-access";
import type { Connection } from "../../platform/db/database.ts";
import { prepared } from "../../platform/db/prepared.ts";
import {
  accounts,
  courseVersion,
  films,
  moduleOrder,
  playingSessions,
  profiles,
  sessions,
  storedObjects,
  videoAttachments,
  videoCaptions,
  videoProgress,
  videos,
} from "../../platform/db/schema.ts";
import { findAllUnreferenced, linkQuery, type FoundLink, type LinkNames } from "../../platform/storage/queries.ts";

export type VideoRow = typeof videos.$inferSelect;

/** The sort keys of the last video of a page, after which the next page begins. */
export interface ListPosition {
  module: string;
  orderIndex: number;
  id: string;
}

/** A video of the course, with the place of its module, what is known of its film, and what it offers beside it. */
export type CourseVideo = Omit<VideoRow, "object_id" | "created_at" | "idempotency_key" | "idempotency_sha256"> &
  Pick<typeof films.$inferSelect, "duration_seconds" | "playability"> & {
    module_order: number | null;
    film_filename: string | null;
    captions: { language: string; label: string; object_id: string }[] | null;
    attachments: Attachment[] | null;
  };

/** Where a viewer is in a video. */
export interface ViewerProgress {
  position_seconds: number;
  done: boolean;
  watched_at: string;
}

/** A video with its viewer's progress, which is null before it was first played. */
export type ListedVideo = CourseVideo & { progress: ViewerProgress | null };

const {
  object_id: _object,
  created_at: _created,
  idempotency_key: _key,
  idempotency_sha256: _hash,
  ...ownColumns
} = getTableColumns(videos);
const courseColumns: Record<keyof CourseVideo, PgColumn | SQL> = {
  ...ownColumns,
  module_order: sql`${moduleOrder.position} as module_order`,
  duration_seconds: films.duration_seconds,
  // Unknown while a film may still be rewritten.
  playability: sql`case when ${films.next_attempt_at} is null then ${films.playability} end as playability`,
  film_filename: sql`(select filename from ${storedObjects} where id = ${videos.object_id}) as film_filename`,
  captions: sql`(select json_agg(json_build_object('language', language, 'label', label, 'object_id', object_id) order by language)
    from ${videoCaptions} where video_id = ${videos.id}) as captions`,
  attachments: sql`(select json_agg(json_build_object('id', a.id, 'filename', o.filename, 'size_bytes', o.size,
      'content_type', o.content_type) order by a.created_at, a.id)
    from ${videoAttachments} a join ${storedObjects} o on o.id = a.object_id where a.video_id = ${videos.id}) as attachments`,
};
const listed = sql.join(Object.values(courseColumns), sql`, `);
const course = sql`${videos}
  left join ${films} on ${films.object_id} = ${videos.object_id}
  left join ${moduleOrder} on ${moduleOrder.module} = ${videos.module}`;

/**
 * Returns at most `limit` videos in the order of the course (VIDEO-1), after a position, and the version of the course that they are of.
 * Skips the mapping of rows.
 */
export async function findPage(
  connection: Connection,
  limit: number,
  after?: ListPosition,
): Promise<{ version: string | null; rows: CourseVideo[] }> {
  const isAfter = after
    ? sql`where (${videos.module}, order_index, ${videos.id}) > (${after.module}, ${after.orderIndex}, ${after.id}::uuid)`
    : sql``;
  const { rows } = await connection.execute<Record<keyof CourseVideo, never> & { version: string }>(
    sql`select ${listed}, (select version from ${courseVersion}) as version from ${course} ${isAfter}
        order by ${videos.module}, order_index, ${videos.id} limit ${limit}`,
  );
  return { version: rows[0]?.version ?? null, rows };
}

const watchedAt = sql<string>`to_char(${videoProgress.updated_at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as watched_at`;

/**
 * Returns the version of the course, which changes with each commit that changes a list of it, and a viewer's progress by the ids of
 * videos. The most frequent of all queries but one.
 */
export async function findViewed(
  connection: Connection,
  viewerId: string | null,
): Promise<{ version: string | null; progress: Map<string, ViewerProgress> }> {
  const { rows } = await connection.execute<
    Record<keyof ViewerProgress, never> & { version: string; video_id: string | null }
  >(sql`
    select version, video_id, position_seconds, done, ${watchedAt}
    from (select (select version from ${courseVersion}) as version) as course left join ${videoProgress} on account_id = ${viewerId}`);
  const progress = new Map<string, ViewerProgress>();
  for (const { version: _, video_id, ...viewed } of rows) if (video_id !== null) progress.set(video_id, viewed);
  return { version: rows[0]?.version ?? null, progress };
}

/** Returns a video that exists, as the viewer's list has it. */
export async function findListed(connection: Connection, viewerId: string | null, id: string): Promise<ListedVideo> {
  const { rows } = await connection.execute<Record<keyof CourseVideo, never> & { progress: ViewerProgress | null }>(sql`
    select ${listed}, (
      select json_build_object('position_seconds', position_seconds, 'done', done, 'watched_at', watched_at)
      from (select position_seconds, done, ${watchedAt} from ${videoProgress} where video_id = ${id} and account_id = ${viewerId}) as viewed
    ) as progress
    from ${course} where ${videos.id} = ${id}`);
  return rows[0]!;
}

export async function findById(connection: Connection, id: string): Promise<VideoRow | undefined> {
  const [row] = await connection.select().from(videos).where(eq(videos.id, id));
  return row;
}

export async function findByIdempotencyKey(connection: Connection, key: string): Promise<VideoRow | undefined> {
  const [row] = await connection.select().from(videos).where(eq(videos.idempotency_key, key));
  return row;
}

/** Returns a video, locked until the transaction ends. */
export async function lockById(connection: Connection, id: string): Promise<VideoRow | undefined> {
  const [row] = await connection.select().from(videos).where(eq(videos.id, id)).for("update");
  return row;
}

/** Returns those of some videos that exist, by id, locked until the transaction ends. */
export function lockAllByIds(connection: Connection, ids: string[]): Promise<VideoRow[]> {
  return connection.select().from(videos).where(inArray(videos.id, ids)).orderBy(asc(videos.id)).for("update");
}

export async function insertVideo(connection: Connection, row: typeof videos.$inferInsert): Promise<VideoRow> {
  const [inserted] = await connection.insert(videos).values(row).returning();
  return inserted as VideoRow;
}

export async function updateVideo(connection: Connection, id: string, changes: Partial<VideoRow>): Promise<VideoRow> {
  const [updated] = await connection.update(videos).set(changes).where(eq(videos.id, id)).returning();
  return updated as VideoRow;
}

export async function updatePackage(connection: Connection, ids: string[], packageType: VideoPackageType): Promise<void> {
  await connection.update(videos).set({ package_type: packageType }).where(inArray(videos.id, ids));
}

export async function deleteVideo(connection: Connection, id: string): Promise<void> {
  await connection.delete(videos).where(eq(videos.id, id));
}

/** Returns the name of a video's file in its bucket, and where in it its fragments are listed. */
export async function findFile(
  connection: Connection,
  objectId: string,
): Promise<{ name: string; fragments_at: number | null } | undefined> {
  const [row] = await connection
    .select({ name: storedObjects.name, fragments_at: films.fragments_at })
    .from(storedObjects)
    .leftJoin(films, eq(films.object_id, storedObjects.id))
    .where(eq(storedObjects.id, objectId));
  return row;
}

/** The package of a file's video, and role and tier of the viewer, as they are now. */
export interface FileViewer {
  role: "student" | "admin";
  subscription_status: SubscriptionStatus;
  package_type: VideoPackageType;
}

/**
 * What a link to a film leads to. Role and tier are null when the viewer's account is not verified. The package is null when no video has this file
 * or the one that replaced it: links in flight go on with the old bytes (FILE-12).
 */
export interface LinkedFilm extends FoundLink, Nullable<FileViewer> {
  /** When the viewer's session last played. */
  playedAt: Date | null;
  /** Since when other devices play instead. */
  displacedAt: Date | null;
}

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null };

const linkedFilm = prepared((connection) =>
  connection
    .select({
      ...linkQuery.columns,
      role: accounts.role,
      subscription_status: profiles.subscription_status,
      package_type: videos.package_type,
      playedAt: playingSessions.played_at,
      displacedAt: playingSessions.displaced_at,
    })
    .from(sessions)
    .leftJoin(storedObjects, linkQuery.namesObject)
    .leftJoin(accounts, and(eq(accounts.id, sessions.account_id), isNotNull(accounts.email_verified_at)))
    .leftJoin(profiles, eq(profiles.id, accounts.id))
    .leftJoin(videos, or(eq(videos.object_id, storedObjects.id), eq(videos.object_id, storedObjects.replaced_by)))
    .leftJoin(playingSessions, eq(playingSessions.session_id, sessions.id))
    .where(linkQuery.isOfOpenSession)
    .prepare("linked_film"),
);

/** Returns what a link to a film leads to, by one statement for every range; undefined when the session has ended. */
export async function findLinkedFilm(connection: Connection, names: LinkNames): Promise<LinkedFilm | undefined> {
  const [found] = await linkedFilm(connection).execute({ ...names });
  return found;
}

/** Returns the ids of at most `limit` video files that were stored before a time and that no video has. */
export function findAllUnusedFiles(connection: Connection, before: Date, limit: number): Promise<string[]> {
  return findAllUnreferenced(connection, "course-videos", [videos.object_id], before, limit);
}
