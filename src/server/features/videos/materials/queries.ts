import { and, eq, isNotNull } from "drizzle-orm";
import type { Connection } from "../../../platform/db/database.ts";
import { accounts, profiles, storedObjects, videoAttachments, videoCaptions, videos } from "../../../platform/db/schema.ts";
import type { FileViewer } from "../queries.ts";

/** Returns the ids of the stored objects of a lesson's captions and attachments. */
export async function findAllObjectIds(connection: Connection, videoId: string): Promise<string[]> {
  const captions = connection
    .select({ id: videoCaptions.object_id })
    .from(videoCaptions)
    .where(eq(videoCaptions.video_id, videoId));
  const attachments = connection
    .select({ id: videoAttachments.object_id })
    .from(videoAttachments)
    .where(eq(videoAttachments.video_id, videoId));
  return (await captions.unionAll(attachments)).map(({ id }) => id);
}

export function countCaptions(connection: Connection, videoId: string): Promise<number> {
  return connection.$count(videoCaptions, eq(videoCaptions.video_id, videoId));
}

export type CaptionsRow = typeof videoCaptions.$inferSelect;

const isCaptions = (videoId: string, language: string) =>
  and(eq(videoCaptions.video_id, videoId), eq(videoCaptions.language, language));

/** Returns a lesson's captions in a language. */
export async function findCaptions(
  connection: Connection,
  videoId: string,
  language: string,
): Promise<CaptionsRow | undefined> {
  const [row] = await connection.select().from(videoCaptions).where(isCaptions(videoId, language));
  return row;
}

/** Inserts captions, or replaces those of their language. */
export async function upsertCaptions(connection: Connection, row: typeof videoCaptions.$inferInsert): Promise<void> {
  const { label, object_id } = row;
  await connection
    .insert(videoCaptions)
    .values(row)
    .onConflictDoUpdate({ target: [videoCaptions.video_id, videoCaptions.language], set: { label, object_id } });
}

/** Returns the deleted captions; undefined when the lesson has none in the language. */
export async function deleteCaptions(
  connection: Connection,
  videoId: string,
  language: string,
): Promise<CaptionsRow | undefined> {
  const [row] = await connection.delete(videoCaptions).where(isCaptions(videoId, language)).returning();
  return row;
}

export function countAttachments(connection: Connection, videoId: string): Promise<number> {
  return connection.$count(videoAttachments, eq(videoAttachments.video_id, videoId));
}

export async function isAttached(connection: Connection, videoId: string, objectId: string): Promise<boolean> {
  const { video_id, object_id } = videoAttachments;
  return (await connection.$count(videoAttachments, and(eq(video_id, videoId), eq(object_id, objectId)))) > 0;
}

export async function insertAttachment(
  connection: Connection,
  row: typeof videoAttachments.$inferInsert,
): Promise<typeof videoAttachments.$inferSelect> {
  const [inserted] = await connection.insert(videoAttachments).values(row).returning();
  return inserted!;
}

export async function deleteAttachment(connection: Connection, id: string): Promise<void> {
  await connection.delete(videoAttachments).where(eq(videoAttachments.id, id));
}

/** Returns an attachment's object with its name in the bucket and as it was uploaded, and the package of its lesson. */
export async function findAttachment(connection: Connection, videoId: string, id: string) {
  const { name, filename } = storedObjects;
  const [row] = await connection
    .select({ object_id: videoAttachments.object_id, name, filename, package_type: videos.package_type })
    .from(videoAttachments)
    .innerJoin(videos, eq(videos.id, videoAttachments.video_id))
    .innerJoin(storedObjects, eq(storedObjects.id, videoAttachments.object_id))
    .where(and(eq(videoAttachments.video_id, videoId), eq(videoAttachments.id, id)));
  return row;
}

/** Returns undefined when the viewer's account is deleted or not verified, or when no lesson has this file. */
export async function findViewer(
  connection: Connection,
  viewerId: string,
  table: typeof videoCaptions | typeof videoAttachments,
  objectId: string,
): Promise<FileViewer | undefined> {
  const [row] = await connection
    .select({
      role: accounts.role,
      subscription_status: profiles.subscription_status,
      package_type: videos.package_type,
    })
    .from(table)
    .innerJoin(videos, eq(videos.id, table.video_id))
    .innerJoin(accounts, and(eq(accounts.id, viewerId), isNotNull(accounts.email_verified_at)))
    .innerJoin(profiles, eq(profiles.id, accounts.id))
    .where(eq(table.object_id, objectId));
  return row;
}

/** Returns whether the viewer's account is verified and a lesson has this poster. */
export async function mayOpenPoster(connection: Connection, viewerId: string, objectId: string): Promise<boolean> {
  const isVerified = and(eq(accounts.id, viewerId), isNotNull(accounts.email_verified_at));
  // Stryker disable next-line ObjectLiteral: only the number of rows is read.
  const ofLessons = connection.select({ id: videos.id }).from(videos);
  const rows = await ofLessons.innerJoin(accounts, isVerified).where(eq(videos.poster_object_id, objectId));
  return rows.length === 1;
}
