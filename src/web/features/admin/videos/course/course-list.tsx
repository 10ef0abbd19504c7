import { useRef, useState, type ReactNode } from "react";
import type { Video } from "#domain/api/course/videos";
import { Button } from "../../../../ui/button.tsx";
import { useStatistics } from "../queries.ts";
import { moveLesson, moveModule, placeAtGap, stepOf } from "./arrangement.ts";
import { lineAt } from "./drop-line.tsx";
import { LessonRow } from "./lesson-row.tsx";
import { ModuleSection } from "./module-section.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { useArrangement } from "./use-arrangement.ts";
import { useKeptFocus } from "./use-kept-focus.ts";
import { useDrag, type Dragged, type Gap } from "./use-drag.ts";
import { useSelection } from "./use-selection.ts";
import { Watched } from "./watched.tsx";

interface CourseListProps {
  onEdit: (video: Video) => void;
  onRemove: (video: Video) => void;
}

/** The course in the seller's order, which is changed by drag, by buttons and by keys (PATH-1, VIDEOS-1). */
export function CourseList({ onEdit, onRemove }: CourseListProps): ReactNode {
  const { course, announced, hold, release, apply } = useArrangement();
  const lessons = course.flatMap(({ videos }) => videos);
  const selection = useSelection(lessons.map(({ id }) => id));
  const statistics = useStatistics();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const fold = (name: string, isFolded: boolean): void =>
    setFolded((before) => new Set(isFolded ? [...before, name] : [...before].filter((one) => one !== name)));
  const list = useRef<HTMLDivElement>(null);
  const keptFocus = useKeptFocus(list);
  // A renamed module stays the same part of the page.
  const [keys, setKeys] = useState<ReadonlyMap<string, string>>(new Map());
  const names = new Set(course.map(({ name }) => name));
  const keyOf = (name: string): string => {
    const former = keys.get(name);
    return former === undefined || names.has(former) ? name : former;
  };

  const stepLesson = (id: string, step: -1 | 1): void => {
    const place = stepOf(course, id, step);
    if (place === undefined) return;
    fold(place.module, false);
    apply(moveLesson(course, id, place));
  };
  const drop = (dragged: Dragged, gap: Gap | undefined): void => {
    if (dragged.lesson !== undefined && gap && "module" in gap) {
      apply(moveLesson(course, dragged.lesson, placeAtGap(course, dragged.lesson, gap)));
    } else if (dragged.module !== undefined && gap && "modules" in gap) {
      const from = course.findIndex(({ name }) => name === dragged.module);
      apply(moveModule(course, dragged.module, from < gap.modules ? gap.modules - 1 : gap.modules));
    }
    release();
  };
  const drag = useDrag({ onStart: hold, onEnd: drop });
  const lessonGap = drag?.gap && "module" in drag.gap ? drag.gap : undefined;

  return (
    <div ref={list} className="grid gap-6" {...keptFocus}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="max-w-[75ch] text-small text-muted">
          <span className="pointer-coarse:hidden">
            Drag by the handle to move, or press Alt with ↑ or ↓ on a lesson or a module.
          </span>
          <span className="hidden pointer-coarse:inline">
            Move a lesson or a module by its arrows, or select lessons and change their module.
          </span>{" "}
          Press a title to change it.
        </p>
        <Button
          variant="secondary"
          size="small"
          onClick={() => setFolded(new Set(folded.size === 0 ? course.map(({ name }) => name) : []))}
        >
          {folded.size === 0 ? "Fold all modules" : "Unfold all modules"}
        </Button>
      </div>
      <p role="status" className="sr-only">
        {announced}
      </p>
      {course.map((module, at) => (
        <ModuleSection
          key={keyOf(module.name)}
          module={module}
          index={at}
          count={course.length}
          isOpen={!folded.has(module.name)}
          isDragged={drag?.dragged.module === module.name}
          gap={drag?.gap}
          selection={selection}
          onToggle={() => fold(module.name, !folded.has(module.name))}
          onStep={(step) => apply(moveModule(course, module.name, at + step))}
          onRename={(name) => {
            setKeys((before) => new Map([...before, [name, keyOf(module.name)]]));
            if (!names.has(name)) fold(name, folded.has(module.name));
          }}
        >
          {module.videos.map((video, index) => (
            <LessonRow
              key={video.id}
              video={video}
              index={index}
              isFirst={at === 0 && index === 0}
              isLast={at === course.length - 1 && index === module.videos.length - 1}
              isDragged={drag?.dragged.lesson === video.id}
              dropLine={lessonGap?.module === module.name ? lineAt(lessonGap.index, index, module.videos.length) : undefined}
              selection={selection}
              watched={statistics.data && <Watched video={video} statistics={statistics.data.get(video.id)} />}
              onStep={(step) => stepLesson(video.id, step)}
              onEdit={() => onEdit(video)}
              onRemove={() => onRemove(video)}
            />
          ))}
        </ModuleSection>
      ))}
      <SelectionBar course={course} selection={selection} />
    </div>
  );
}
