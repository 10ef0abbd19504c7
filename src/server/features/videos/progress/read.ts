import type { LessonProgress } from "#domain/api/course/videos";
import type { SubscriptionStatus } from "#domain/packages";
import { canPlay } from "#domain/video-access";
import type { Dependencies } from "../../../dependencies.ts";
import { findAllProgress, findProgress } from "./queries.ts";

/** Returns where a viewer is in a lesson, for its player to go on there (WATCH-3); null before it was first played. */
export function readProgress(deps: Dependencies, viewer: { id: string }, videoId: string): Promise<LessonProgress | null> {
  return findProgress(deps.db, viewer.id, videoId);
}

/** What a student has seen of the lessons that the tier opens. */
interface ProgressSummary {
  lessons: number;
  begun: number;
  done: number;
  last_watched_at: string | null;
}

/** Returns how far a student is in the course, for the admin (USER-4). */
export async function summariseProgress(
  deps: Dependencies,
  student: { id: string; subscription_status: SubscriptionStatus },
): Promise<ProgressSummary> {
  const viewer = { role: "student", subscription_status: student.subscription_status } as const;
  const lessons = (await findAllProgress(deps.db, student.id)).filter(({ package_type }) => canPlay(viewer, package_type));
  const times = lessons.flatMap(({ updated_at }) => (updated_at === null ? [] : [updated_at.getTime()]));
  return {
    lessons: lessons.length,
    begun: times.length,
    done: lessons.filter(({ done }) => done === true).length,
    last_watched_at: times.length === 0 ? null : new Date(Math.max(...times)).toISOString(),
  };
}
