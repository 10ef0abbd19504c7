import { ProductError } from "#domain/errors/messages";
import { attachmentType, maxAttachmentBytes } from "#domain/materials/attachment";
import { canPlay } from "#domain/video-access";
import { requireAdmin } from "../../../platform/http/access.ts";
import type { Connection } from "../../../platform/db/database.ts";
import { videoAttachments, videoCaptions, videos } from "../../../platform/db/schema.ts";
import type { Bucket, UploadBucket } from "../../../platform/storage/bucket.ts";
import type { LinkViewer } from "../../../platform/storage/downloads/signed-links.ts";
import { findAllUnreferenced } from "../../../platform/storage/queries.ts";
import * as queries from "./queries.ts";

/** Attachments: uploaded by the admin, always a download, open to whoever may play the lesson at the time (FILE-14). */
export const attachmentBucket: UploadBucket = {
  name: "lesson-attachments",
  isForDownload: true,
  maxBytes: maxAttachmentBytes,
  checkUploader: requireAdmin,
  contentType: attachmentType,
  wrongType: "attachment_type_invalid",
  tooLarge: "attachment_too_large",
  // Without an extension: only the name that is saved has one.
  nameFor: ({ id }) => id,
  checkViewer: ({ db }, viewer, { object }) => checkTier(db, viewer, videoAttachments, object.id),
  unused: (connection, before, limit) =>
    findAllUnreferenced(connection, "lesson-attachments", [videoAttachments.object_id], before, limit),
};

/** Captions, open to whoever may play the lesson at the time (FILE-13). */
export const captionBucket: Bucket = {
  name: "lesson-captions",
  // A track of another origin is not loaded.
  isReadByPages: true,
  checkViewer: ({ db }, viewer, { object }) => checkTier(db, viewer, videoCaptions, object.id),
  unused: (connection, before, limit) =>
    findAllUnreferenced(connection, "lesson-captions", [videoCaptions.object_id], before, limit),
};

/** Posters, open to every verified account: locked lessons have theirs too (FILE-15). */
export const posterBucket: Bucket = {
  name: "lesson-posters",
  async checkViewer({ db }, viewer, { object }) {
    if (!(await queries.mayOpenPoster(db, viewer.id, object.id))) throw new ProductError("not_allowed");
  },
  unused: (connection, before, limit) =>
    findAllUnreferenced(connection, "lesson-posters", [videos.poster_object_id], before, limit),
};

async function checkTier(
  connection: Connection,
  { id }: LinkViewer,
  table: typeof videoCaptions | typeof videoAttachments,
  objectId: string,
): Promise<void> {
  const found = await queries.findViewer(connection, id, table, objectId);
  if (found === undefined) throw new ProductError("not_allowed", { accountId: id });
  if (!canPlay(found, found.package_type)) throw new ProductError("video_locked");
}
