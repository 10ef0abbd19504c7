import { randomUUID } from "node:crypto";
import { ProductError } from "#domain/errors/messages";
import { imageType } from "#domain/files/file-types";
import type { Dependencies } from "../../../dependencies.ts";
import type { Actor } from "../../../platform/audit.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { storeMadeFile } from "../../../platform/storage/uploads/made-object.ts";
import { deleteFormer, lockVideo, removeBytes } from "../files.ts";
import { updateVideo } from "../queries.ts";
import { auditMaterial } from "./audit.ts";

/** Returns the stored name of a poster. */
export function posterName(objectId: string): string {
  return `${objectId}.webp`;
}

/**
 * Makes a picture the poster of a lesson in place of the former one (FILE-15): decoded in another process and stored anew, at most 1280
 * pixels wide and high. Throws `poster_invalid`, `unavailable`, `insufficient_storage` and `video_not_found`.
 */
export async function savePoster(deps: Dependencies, actor: Actor, videoId: string, picture: Blob): Promise<void> {
  const bytes = await encodedPoster(deps, actor, Buffer.from(await picture.arrayBuffer()));
  const id = randomUUID();
  const file = {
    id,
    bucket: "lesson-posters",
    name: posterName(id),
    filename: "poster.webp",
    contentType: "image/webp",
    ownerId: actor.id,
    bytes,
  } as const;
  const former = await storeMadeFile(deps, file, async (tx) => {
    const video = await lockVideo(tx, videoId);
    await updateVideo(tx, videoId, { poster_object_id: id });
    await deleteFormer(tx, video.poster_object_id);
    const change = { before: audited(video), after: audited({ poster_object_id: id }) };
    await auditMaterial(tx, actor, deps.clock.now(), "video.poster.save", video, change);
    return video.poster_object_id;
  });
  await removeBytes(deps, former);
}

/** Removes the poster of a lesson. Throws `video_not_found` and `poster_not_found`. */
export async function removePoster(deps: Dependencies, actor: Actor, videoId: string): Promise<void> {
  const removed = await transaction(deps.db, async (tx) => {
    const video = await lockVideo(tx, videoId);
    if (video.poster_object_id === null) throw new ProductError("poster_not_found");
    await updateVideo(tx, videoId, { poster_object_id: null });
    await deleteFormer(tx, video.poster_object_id);
    await auditMaterial(tx, actor, deps.clock.now(), "video.poster.remove", video, { before: audited(video) });
    return video.poster_object_id;
  });
  await removeBytes(deps, removed);
}

function audited({ poster_object_id }: { poster_object_id: string | null }) {
  return { poster_object_id };
}

/** The decoder reads a file, so the picture is stored for as long as it takes; after a crash the sweep removes it. */
async function encodedPoster({ objects, pictures }: Dependencies, actor: Actor, picture: Buffer): Promise<Buffer> {
  const contentType = imageType(picture);
  if (contentType === undefined) throw new ProductError("poster_invalid");
  await Promise.all([objects.checkSpace(picture.length), objects.checkFileSpace(picture.length)]);
  const id = randomUUID();
  await objects.put(id, picture);
  try {
    // An admin who calls has an id.
    const made = await objects.withFile(id, (path) => pictures.encodePoster(actor.id!, { path, contentType }));
    if (made.kind === "unavailable") throw new ProductError("unavailable", { retryAfter: 10 });
    if (made.kind !== "encoded") throw new ProductError("poster_invalid");
    return Buffer.from(made.bytes);
  } finally {
    await objects.remove(id).catch(() => {});
  }
}
