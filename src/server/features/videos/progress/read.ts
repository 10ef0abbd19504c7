import type { LessonProgress } from "#domain/api/videos";
import type { Dependencies } from "../../../dependencies.ts";
import { findProgress } from "./queries.ts";

/** Returns where a viewer is in a lesson, for its player to go on there (WATCH-3); null before it was first played. */
export function readProgress(deps: Dependencies, viewer: { id: string }, videoId: string): Promise<LessonProgress | null> {
  return findProgress(deps.db, viewer.id, videoId);
}
