import { CircleCheckBig, Play } from "lucide-react";
import type { ReactNode } from "react";
import type { Video } from "#domain/api/course/videos";
import { nextStep, type Lesson, type PathModule } from "#domain/watch/path";
import { ActionError } from "../../ui/action-error.tsx";
import { Button } from "../../ui/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { ModuleIcon } from "../../entities/video/module-icon.tsx";
import { Poster } from "../../entities/video/poster.tsx";
import { LessonProgress } from "./lesson-progress.tsx";
import { usePlay } from "./queries.ts";

/** The one lesson to continue with (PATH-2); nothing where none may be played. */
export function NextLesson({ path }: { path: PathModule<Video>[] }): ReactNode {
  const next = nextStep(path);
  if (next.step === "none") return null;
  if (next.step === "finished") {
    return (
      <p className="flex items-center gap-3 rounded-panel border border-line bg-surface p-5 text-muted">
        <CircleCheckBig aria-hidden className="size-5 shrink-0 text-gain" />
        You have done every lesson that is open to you. Watch any of them again whenever you like.
      </p>
    );
  }
  const { lesson } = next;
  return <Go key={lesson.video.id} lesson={lesson} isFirst={next.step === "start"} />;
}

function Go({ lesson: { number, video }, isFirst }: { lesson: Lesson<Video>; isFirst: boolean }): ReactNode {
  const film = usePlay(video);
  return (
    <section
      aria-labelledby="next-lesson"
      className="flex flex-col gap-x-8 gap-y-5 rounded-panel border border-action bg-surface p-5 sm:p-6 md:flex-row md:items-center"
    >
      {video.poster_url !== null && (
        <div className="hidden w-52 shrink-0 md:block">
          <Poster video={video} />
        </div>
      )}
      <div className="min-w-0 grow">
        <p className="flex items-center gap-2 text-small text-muted">
          <ModuleIcon module={video.module} />
          <span className="min-w-0 wrap-anywhere">{`${video.module}, lesson ${number}`}</span>
        </p>
        <h2 id="next-lesson" className="mt-2 text-title wrap-anywhere">
          {`${isFirst ? startLabel(number) : "Continue"}: ${video.title}`}
        </h2>
        <LessonProgress video={video} className="mt-4 max-w-md" />
      </div>
      <div className="grid shrink-0 gap-2 md:max-w-64">
        <ActionError error={film.error} />
        <Button size="large" aria-describedby="next-lesson" disabled={film.isPending} onClick={() => film.mutate()}>
          {film.isPending ? <Spinner /> : <Play aria-hidden className="size-4" />}
          <span>{isFirst ? "Start" : "Continue"}</span>
        </Button>
      </div>
    </section>
  );
}

/** Where a student begins; the first lesson open to them is not always the first of the course. */
export function startLabel(number: number): string {
  return `Start lesson ${number === 1 ? "one" : number}`;
}
