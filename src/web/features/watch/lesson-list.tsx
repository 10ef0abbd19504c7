import { CircleCheck, Lock } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Video } from "#domain/api/course/videos";
import type { Lesson, PathModule } from "#domain/watch/path";
import { playingTime } from "../../platform/format.ts";
import { cx } from "../../ui/cx.ts";

/** The whole course beside the film, with where its student is. */
export function LessonList({ path, currentId }: { path: PathModule<Video>[]; currentId: string }): ReactNode {
  return (
    <nav aria-label="Lessons" className="grid gap-6">
      {path.map(({ name, lessons }) => (
        <section key={name} aria-label={name}>
          <h2 className="mb-2 px-3 text-small font-semibold wrap-anywhere text-muted">{name}</h2>
          <ol className="grid gap-0.5">
            {lessons.map((lesson) => (
              <li key={lesson.video.id}>
                <LessonRow lesson={lesson} isCurrent={lesson.video.id === currentId} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </nav>
  );
}

function LessonRow({ lesson: { number, video }, isCurrent }: { lesson: Lesson<Video>; isCurrent: boolean }): ReactNode {
  const look = cx(
    "flex min-h-11 items-center gap-3 rounded-control px-3 py-2 text-small",
    isCurrent && "bg-raised font-semibold",
  );
  const current = isCurrent ? "page" : undefined;
  if (!video.playable) {
    return (
      <div aria-current={current} className={cx(look, "text-muted")}>
        <Mark number={number} />
        <span className="min-w-0 grow wrap-anywhere">{video.title}</span>
        <Lock aria-label="Locked" role="img" className="size-4 shrink-0" />
      </div>
    );
  }
  return (
    <Link to={`/watch/${video.id}`} aria-current={current} className={cx(look, "transition-colors hover:bg-raised")}>
      <Mark number={number} />
      <span className="min-w-0 grow">
        <span className="wrap-anywhere">{video.title}</span>
        <WatchedShare video={video} />
      </span>
      {video.progress?.done ? (
        <CircleCheck aria-label="Done" role="img" className="size-4.5 shrink-0 text-gain" />
      ) : (
        video.duration_seconds !== null && (
          <span className="figures shrink-0 font-normal text-muted">{playingTime(video.duration_seconds)}</span>
        )
      )}
    </Link>
  );
}

const Mark = ({ number }: { number: number }): ReactNode => <span className="figures w-5 shrink-0 text-muted">{number}</span>;

/** How far a lesson that was begun and is not done was watched. */
function WatchedShare({ video: { progress, duration_seconds } }: { video: Video }): ReactNode {
  if (!progress || progress.done || !duration_seconds || progress.position_seconds === 0) return null;
  const percent = Math.min(100, Math.round((100 * progress.position_seconds) / duration_seconds));
  return (
    <span className="mt-1.5 block h-1 overflow-hidden rounded-control bg-line">
      <span className="block h-full bg-action" style={{ width: `${percent}%` }} />
      <span className="sr-only">{`, ${percent}% watched`}</span>
    </span>
  );
}
