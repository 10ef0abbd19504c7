import type { ReactNode } from "react";
import type { Video } from "#domain/api/course/videos";
import { playingTime } from "../../platform/format.ts";
import { ProgressBar } from "../../ui/progress.tsx";
import { cx } from "../../ui/cx.ts";

/** How far a lesson was watched and the time left; nothing before it was begun, after it is done, or while its length is unknown. */
export function LessonProgress({ video, className }: { video: Video; className?: string }): ReactNode {
  const { progress, duration_seconds: duration } = video;
  if (progress === null || progress.done || duration === null) return null;
  const watched = Math.min(progress.position_seconds, duration);
  return (
    <div className={cx("flex items-center gap-3", className)}>
      <ProgressBar label={`Watched of ${video.title}`} value={watched / duration} />
      <span className="figures shrink-0 text-small text-muted">{`${playingTime(duration - watched)} left`}</span>
    </div>
  );
}
