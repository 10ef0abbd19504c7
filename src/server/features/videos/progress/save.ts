import type { LessonProgress, SavedProgress } from "#domain/api/course/videos";
import { ProductError } from "#domain/errors/messages";
import { doneFrom } from "#domain/watch/progress";
import type { Dependencies } from "../../../dependencies.ts";
import { violatedConstraint } from "../../../platform/db/database.ts";
import type { Principal } from "../../../platform/http/access.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { notePlaying } from "../../playback/service.ts";
import { findPlayable } from "../play.ts";
import { upsertProgress } from "./queries.ts";

/** A player saves about every ten seconds and at each pause; this is enough for several devices. */
const saveLimit: Limit = { name: "video-progress", points: 400, seconds: 600 };

/**
 * Saves where a viewer is in a lesson and returns it with whether the lesson is done. Of two devices the last one sets the position, and the
 * furthest position only grows until a film of another length replaces this one (WATCH-1). Throws `video_not_found`, `video_locked`,
 * `not_signed_in` when the account has just been deleted, and `too_many_requests`.
 */
export async function saveProgress(
  deps: Dependencies,
  viewer: Principal,
  videoId: string,
  { position_seconds, duration_seconds, done }: SavedProgress,
): Promise<LessonProgress> {
  await deps.limits.consume(saveLimit, viewer.id);
  const { object_id } = await findPlayable(deps, viewer, videoId);
  if (object_id !== null) await notePlaying(deps, viewer.sessionId);
  const watched = {
    accountId: viewer.id,
    videoId,
    // 0 while the length is not known.
    position: Math.min(position_seconds, duration_seconds),
    duration: duration_seconds,
    done: done ?? null,
    doneFrom: doneFrom(duration_seconds),
    now: deps.clock.now(),
  };
  return upsertProgress(deps.db, watched).catch((error: unknown) => rowsGone(error));
}

/** The account or the video may be deleted while this call runs; the foreign keys decide. */
function rowsGone(error: unknown): never {
  const constraint = violatedConstraint(error);
  if (constraint === "video_progress_video_id_fkey") throw new ProductError("video_not_found");
  throw constraint === "video_progress_account_id_fkey" ? new ProductError("not_signed_in") : error;
}
