import { Check, RotateCcw } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { SavedProgress, Video } from "#domain/api/course/videos";
import { clockTime } from "../../platform/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Attachments } from "../../entities/video/attachments.tsx";
import { MarkDone } from "../../entities/video/mark-done.tsx";
import { ModuleIcon } from "../../entities/video/module-icon.tsx";
import { unknownPosition } from "../../entities/video/queries.ts";
import { seek } from "./player/actions.ts";
import { positionOf } from "./use-saved-progress.ts";

interface LessonDetailsProps {
  lesson: Video;
  /** Its place in the course, from 1. */
  number: number | undefined;
  video: HTMLVideoElement | null;
  /** Where the film went on, in seconds; 0 from its beginning. */
  resumedAt: number;
}

/** The part below the film: its title, what its viewer has done, and what the lesson is about. */
export function LessonDetails({ lesson, number, video, resumedAt }: LessonDetailsProps): ReactNode {
  const [isOver, setOver] = useState(false);
  const isDone = lesson.progress?.done === true;
  const position = (): SavedProgress => {
    if (video && video.readyState > 0) return positionOf(video);
    const duration = lesson.duration_seconds;
    if (duration === null) return unknownPosition;
    // It may have been left further on, in a longer film that this one has replaced.
    return { position_seconds: Math.min(lesson.progress?.position_seconds ?? 0, duration), duration_seconds: duration };
  };
  return (
    <section aria-labelledby="lesson" className="grid gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0 grow basis-72">
          <p className="flex flex-wrap items-center gap-2 text-small text-muted">
            <ModuleIcon module={lesson.module} />
            <span className="min-w-0 wrap-anywhere">{lesson.module}</span>
            {number !== undefined && <span className="figures">{`Lesson ${number}`}</span>}
            {isDone && (
              <Badge tone="gain">
                <Check aria-hidden className="size-3.5" />
                Done
              </Badge>
            )}
          </p>
          <h1 id="lesson" className="mt-2 text-heading wrap-anywhere">
            {lesson.title}
          </h1>
        </div>
        {lesson.playable && <MarkDone variant="secondary" video={lesson} position={position} />}
      </div>
      {resumedAt > 0 && video && !isOver && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-muted">
          <span>
            Went on at <span className="figures">{clockTime(resumedAt)}</span>, where you left it.
          </span>
          <Button
            variant="link"
            size="compact"
            className="px-0"
            onClick={() => {
              seek(video, 0);
              setOver(true);
            }}
          >
            <RotateCcw aria-hidden className="size-4" />
            Start over
          </Button>
        </p>
      )}
      <p className="measure wrap-anywhere whitespace-pre-line text-muted">{lesson.description}</p>
      {lesson.attachments.length > 0 && (
        <div className="measure grid gap-3">
          <h2 className="text-lead font-semibold">Downloads</h2>
          <Attachments video={lesson} />
        </div>
      )}
    </section>
  );
}
