import { and, eq, isNotNull, lt, notExists, sql } from "drizzle-orm";
import type { SubscriptionStatus } from "#domain/packages";
import type { VideoPackageType } from "#domain/video-access";
import type { Connection } from "../../platform/db/database.ts";
import { accounts, profiles, storedObjects, videos } from "../../platform/db/schema.ts";

export type VideoRow = typeof videos.$inferSelect;

/** Where a page of the list goes on: the sort keys of the last row seen. */
export interface ListPosition {
  module: string;
  orderIndex: number;
  id: string;
}

/** What the list shows of a video. */
export type ListedVideo = Omit<VideoRow, "object_id" | "created_at">;

/**
 * At most `limit` videos in the order of the course (VIDEO-1: module, then order index), after a position. The
 * most asked of all queries, so its rows are taken as the driver gives them.
 */
export async function listVideos(connection: Connection, limit: number, after?: ListPosition): Promise<ListedVideo[]> {
  const isAfter = after
    ? sql`where (module, order_index, id) > (${after.module}, ${after.orderIndex}, ${after.id}::uuid)`
    : sql``;
  const { rows } = await connection.execute<Record<keyof ListedVideo, never>>(
    sql`select id, title, description, video_url, module, order_index, package_type from videos ${isAfter}
        order by module, order_index, id limit ${limit}`,
  );
  return rows;
}

export async function findVideo(connection: Connection, id: string): Promise<VideoRow | undefined> {
  const [row] = await connection.select().from(videos).where(eq(videos.id, id));
  return row;
}

/** The same, held against other changes until the transaction ends. */
export async function lockVideo(connection: Connection, id: string): Promise<VideoRow | undefined> {
  const [row] = await connection.select().from(videos).where(eq(videos.id, id)).for("update");
  return row;
}

export async function insertVideo(connection: Connection, row: typeof videos.$inferInsert): Promise<VideoRow> {
  const [inserted] = await connection.insert(videos).values(row).returning();
  return inserted as VideoRow;
}

export async function updateVideo(connection: Connection, id: string, changes: Partial<VideoRow>): Promise<VideoRow> {
  const [updated] = await connection.update(videos).set(changes).where(eq(videos.id, id)).returning();
  return updated as VideoRow;
}

/** The deleted row, or undefined when there was none. */
export async function deleteVideo(connection: Connection, id: string): Promise<VideoRow | undefined> {
  const [deleted] = await connection.delete(videos).where(eq(videos.id, id)).returning();
  return deleted;
}

/** The name in the bucket of a video's file. */
export async function nameOfFile(connection: Connection, objectId: string): Promise<string | undefined> {
  const [row] = await connection.select({ name: storedObjects.name }).from(storedObjects).where(eq(storedObjects.id, objectId));
  return row?.name;
}

/** A video's file and the one who wants to open it, as they are now. */
export interface FileViewer {
  role: "student" | "admin";
  subscription_status: SubscriptionStatus;
  package_type: VideoPackageType;
}

/** Undefined when the viewer's account is gone or not verified, or when no video has this file. */
export async function findFileViewer(
  connection: Connection,
  viewerId: string,
  objectId: string,
): Promise<FileViewer | undefined> {
  const [row] = await connection
    .select({
      role: accounts.role,
      subscription_status: profiles.subscription_status,
      package_type: videos.package_type,
    })
    .from(accounts)
    .innerJoin(profiles, eq(profiles.id, accounts.id))
    .innerJoin(videos, eq(videos.object_id, objectId))
    .where(and(eq(accounts.id, viewerId), isNotNull(accounts.email_verified_at)));
  return row;
}

/** Uploaded video files made before a moment that no video has. */
export async function unusedVideoFiles(connection: Connection, before: Date, limit: number): Promise<string[]> {
  const using = connection
    .select({ one: sql`1` })
    .from(videos)
    .where(eq(videos.object_id, storedObjects.id));
  const rows = await connection
    .select({ id: storedObjects.id })
    .from(storedObjects)
    .where(and(eq(storedObjects.bucket, "course-videos"), lt(storedObjects.created_at, before), notExists(using)))
    .limit(limit);
  return rows.map((row) => row.id);
}
