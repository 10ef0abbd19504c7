import { useRef, useState, type ReactNode } from "react";
import type { Video } from "#domain/api/course/videos";
import { Button } from "../../../../ui/button.tsx";
import { useStatistics } from "../queries.ts";
import { moveLesson, moveModule, placeAtGap, stepOf, type Module, type Move } from "./arrangement.ts";
import { lineAt } from "./drop-line.tsx";
import { LessonRow } from "./lesson-row.tsx";
import { ModuleSection } from "./module-section.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { useArrangement } from "./use-arrangement.ts";
import { useFoldedModules } from "./use-folded-modules.ts";
import { useKeptFocus } from "./use-kept-focus.ts";
import { useDrag, type Dragged, type Gap } from "./use-drag.ts";
import { useSelection } from "./use-selection.ts";
import { Watched } from "./watched.tsx";

interface CourseListProps {
  onEdit: (video: Video) => void;
  onRemove: (video: Video) => void;
  /** Called once several were deleted. */
  onRemoved: (ids: readonly string[]) => void;
}

/** The course in the seller's order, which is changed by drag, by buttons and by keys (PATH-1, VIDEOS-1). */
export function CourseList({ onEdit, onRemove, onRemoved }: CourseListProps): ReactNode {
  const { course, announced, hold, release, apply } = useArrangement();
  const lessons = course.flatMap(({ videos }) => videos);
  const selection = useSelection(lessons.map(({ id }) => id));
  const statistics = useStatistics();
  const list = useRef<HTMLDivElement>(null);
  const keptFocus = useKeptFocus(list);
  const names = new Set(course.map(({ name }) => name));
  const { folded, fold, foldAll } = useFoldedModules(names);
  const { keyOf, keepKey } = useModuleKeys(names);

  const stepLesson = (id: string, step: -1 | 1): void => {
    const place = stepOf(course, id, step);
    if (place === undefined) return;
    fold(place.module, false);
    apply(moveLesson(course, id, place));
  };
  const drop = (dragged: Dragged, gap: Gap | undefined): void => {
    apply(gap && moveOf(course, dragged, gap));
    release();
  };
  const drag = useDrag({ onStart: hold, onEnd: drop });
  const lessonGap = drag?.gap && "module" in drag.gap ? drag.gap : undefined;

  return (
    <div ref={list} className="grid gap-6" {...keptFocus}>
      <Instructions isAnyFolded={folded.size > 0} onFoldAll={foldAll} />
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
            keepKey(module.name, name);
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
      <SelectionBar course={course} selection={selection} onRemoved={onRemoved} />
    </div>
  );
}

/** Returns the move that a drop asks for; undefined where a gap is not for what was dragged. */
function moveOf(course: readonly Module[], { lesson, module }: Dragged, gap: Gap): Move | undefined {
  if (lesson !== undefined) return "module" in gap ? moveLesson(course, lesson, placeAtGap(course, lesson, gap)) : undefined;
  if (!("modules" in gap)) return undefined;
  const from = course.findIndex(({ name }) => name === module);
  return moveModule(course, module, from < gap.modules ? gap.modules - 1 : gap.modules);
}

/** React's keys of the modules: a renamed module stays the same part of the page. */
function useModuleKeys(names: ReadonlySet<string>) {
  const [keys, setKeys] = useState<ReadonlyMap<string, string>>(new Map());
  const keyOf = (name: string): string => {
    const former = keys.get(name);
    return former === undefined || names.has(former) ? name : former;
  };
  return {
    keyOf,
    keepKey: (from: string, to: string): void => {
      const key = keyOf(from);
      // A key is of one name: an earlier one may be another module's, as after a merge that was cancelled.
      setKeys((before) => new Map([...[...before].filter(([, kept]) => kept !== key), [to, key]]));
    },
  };
}

/** How lessons and modules are moved, and the button that folds the modules. */
function Instructions({ isAnyFolded, onFoldAll }: { isAnyFolded: boolean; onFoldAll: () => void }): ReactNode {
  return (
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
      <Button variant="secondary" size="compact" onClick={onFoldAll}>
        {isAnyFolded ? "Unfold all modules" : "Fold all modules"}
      </Button>
    </div>
  );
}
