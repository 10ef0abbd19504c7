import { ChevronDown } from "lucide-react";
import { useId, useRef, type ReactNode } from "react";
import { counted } from "../../../../platform/format.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { cx } from "../../../../ui/cx.ts";
import type { Module } from "./arrangement.ts";
import { DropLine, lineAt } from "./drop-line.tsx";
import { DragHandle, stepOfKey } from "./lesson-row.tsx";
import { ModuleTitle } from "./module-title.tsx";
import { MoveButtons } from "./move-buttons.tsx";
import { useDraggable, useDropTarget, type Gap } from "./use-drag.ts";
import type { Selection } from "./use-selection.ts";

interface ModuleSectionProps {
  module: Module;
  /** Its place in the course, from 0. */
  index: number;
  count: number;
  isOpen: boolean;
  isDragged: boolean;
  /** Where something would be dropped. */
  gap: Gap | undefined;
  selection: Selection;
  onToggle: () => void;
  onStep: (step: -1 | 1) => void;
  onRename: (name: string) => void;
  /** The rows of its lessons. */
  children: ReactNode;
}

/** A module of the admin's list: its name, which can be changed, moved and folded, and its lessons. */
export function ModuleSection(props: ModuleSectionProps): ReactNode {
  const { module, index, count, isOpen, isDragged, gap, selection, onToggle, onStep, onRename, children } = props;
  const { name, videos } = module;
  const titleId = useId();
  const listId = useId();
  const element = useRef<HTMLElement>(null);
  const heading = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLSpanElement>(null);
  useDraggable({ handle, element: heading }, { module: name });
  useDropTarget(element, "module", { modules: index }, { modules: index + 1 });
  // A lesson dropped on the heading becomes the first, or the last where the lessons are folded away.
  const place = { module: name, index: isOpen ? 0 : videos.length };
  useDropTarget(heading, "lesson", place, place);
  const isTarget = gap !== undefined && "module" in gap && gap.module === name && (!isOpen || gap.index === 0);
  const line = gap !== undefined && "modules" in gap ? lineAt(gap.modules, index, count) : undefined;
  const selected = videos.filter(({ id }) => selection.has(id)).length;
  return (
    <section ref={element} data-module={name} aria-labelledby={titleId} className={cx("relative", isDragged && "opacity-40")}>
      {line && <DropLine at={line} />}
      <div
        ref={heading}
        role="presentation"
        className={cx("flex flex-wrap items-center gap-x-2 border-b border-control py-1", isTarget && "bg-raised")}
        onKeyDown={(event) => {
          const step = stepOfKey(event);
          if (step === undefined) return;
          event.preventDefault();
          onStep(step);
        }}
      >
        <span className="flex items-center">
          <DragHandle ref={handle} />
          <label className="grid size-11 shrink-0 place-items-center max-sm:w-9">
            <input
              type="checkbox"
              aria-label={`Select all of ${name}`}
              className="size-5 rounded-control"
              ref={(box) => {
                if (box) box.indeterminate = selected > 0 && selected < videos.length;
              }}
              checked={selected === videos.length}
              onChange={() =>
                selection.setAll(
                  videos.map(({ id }) => id),
                  selected < videos.length,
                )
              }
            />
          </label>
        </span>
        <h2 id={titleId} className="min-w-0 text-lead font-semibold max-sm:flex-1 max-sm:basis-1/3">
          <ModuleTitle name={name} onRename={onRename} />
        </h2>
        <span className="figures text-small text-muted max-sm:hidden">{counted(videos.length, "lesson")}</span>
        <span className="ml-auto flex">
          <MoveButtons name={`module ${name}`} isFirst={index === 0} isLast={index === count - 1} onMove={onStep} />
          <IconButton
            label={`Lessons of ${name}`}
            aria-expanded={isOpen}
            aria-controls={listId}
            className="max-sm:w-9"
            onClick={onToggle}
          >
            <ChevronDown aria-hidden className={cx("size-4.5 transition-transform", !isOpen && "-rotate-90")} />
          </IconButton>
        </span>
      </div>
      <ul id={listId} aria-label={`Videos of ${name}, in order`} hidden={!isOpen}>
        {children}
      </ul>
    </section>
  );
}
