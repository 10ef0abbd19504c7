import { ArrowLeft, Play } from "lucide-react";
import { useCallback, useMemo, useState, type ReactNode } from "react";
import { useNavigate, useParams } from "react-router";
import { texts } from "#domain/texts/texts";
import { pathOf } from "#domain/watch/path";
import { homeOf, useMe } from "../../entities/session/session.tsx";
import { saveProgress, unknownPosition, useVideos } from "../../entities/video/queries.ts";
import { logError } from "../../platform/errors.ts";
import { useTitle } from "../../platform/site.ts";
import { buttonClass, ButtonLink } from "../../ui/button.tsx";
import { LoadError } from "../../ui/load-error.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Film, type LoadedFilm } from "./film.tsx";
import { LessonDetails } from "./lesson-details.tsx";
import { LessonList } from "./lesson-list.tsx";

/** One lesson: its film, what it is about, and the way to the others. */
export function WatchPage(): ReactNode {
  const { id = "" } = useParams();
  const me = useMe();
  const navigate = useNavigate();
  const videos = useVideos();
  const path = useMemo(() => pathOf(videos.data ?? []), [videos.data]);
  const lessons = path.flatMap((module) => module.lessons);
  const index = lessons.findIndex(({ video }) => video.id === id);
  const lesson = lessons[index]?.video;
  const next = lessons.slice(index + 1).find(({ video }) => video.playable)?.video;
  const [stage, setStage] = useState<HTMLElement | null>(null);
  const [film, setFilm] = useState<LoadedFilm>();
  const ownFilm = film?.id === id ? film : undefined;
  useTitle(lesson?.title ?? "Lesson");
  const onNext = useCallback(() => next && void navigate(`/watch/${next.id}`), [navigate, next]);

  return (
    <Page
      wide
      actions={
        <ButtonLink to={homeOf(me)} variant="quiet" size="small">
          <ArrowLeft aria-hidden className="size-4" />
          {me.role === "admin" ? "Admin" : "My course"}
        </ButtonLink>
      }
    >
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid content-start gap-6">
          <div
            ref={setStage}
            data-stage=""
            className="relative -mx-4 -mt-8 aspect-video max-h-[max(8rem,calc(100dvh-8rem))] overflow-hidden bg-ground text-ink cinema sm:mx-0 sm:mt-0 sm:rounded-panel"
          >
            {lesson?.video_url !== undefined ? (
              <OutsideFilm id={id} url={lesson.video_url} />
            ) : (
              stage && (
                <Film
                  key={id}
                  id={id}
                  lesson={lesson}
                  listedAt={videos.dataUpdatedAt}
                  stage={stage}
                  onFilm={setFilm}
                  next={next}
                  onNext={onNext}
                />
              )
            )}
          </div>
          {lesson ? (
            <LessonDetails
              key={id}
              lesson={lesson}
              number={lessons[index]?.number}
              video={ownFilm?.video ?? null}
              resumedAt={ownFilm?.resumedAt ?? 0}
            />
          ) : (
            videos.isPending && <Skeleton className="h-24" />
          )}
        </div>
        {/* The padding has room for the focus ring, which the scrolling would cut off. */}
        <aside className="lg:sticky lg:top-[calc(6rem+var(--notice,0rem))] lg:-m-1 lg:max-h-[calc(100dvh-8rem)] lg:overflow-y-auto lg:p-1">
          {videos.isPending && <Skeleton className="h-80" />}
          <LoadError error={videos.error} fallback="dashboard_load_failed" onRetry={() => void videos.refetch()} />
          <LessonList path={path} currentId={id} />
        </aside>
      </div>
    </Page>
  );
}

/** A film at an outside address is opened there (VIDEO-3), and counts as begun then (PATH-4). */
function OutsideFilm({ id, url }: { id: string; url: string }): ReactNode {
  const begin = (): void => void saveProgress(id, unknownPosition).catch(logError);
  return (
    <div className="absolute inset-0 grid place-content-center justify-items-center gap-4 p-6 text-center">
      <p className="text-muted">This film opens in a tab of its own.</p>
      <a
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        onClick={begin}
        // The middle button opens it too.
        onAuxClick={({ button }) => button === 1 && begin()}
        className={buttonClass()}
      >
        <Play aria-hidden className="size-4" />
        {texts.student.watchNow}
      </a>
    </div>
  );
}
