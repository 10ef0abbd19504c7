import { draggable, dropTargetForElements, monitorForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { useEffect, useEffectEvent, useState, type RefObject } from "react";
import type { Place } from "./arrangement.ts";

/** A lesson by its id, or a module by its name. */
export type Dragged = { lesson: string; module?: never } | { module: string; lesson?: never };

/** Where it would be dropped: a gap among a module's lessons, or one among the modules; counted with what is dragged. */
export type Gap = Place | { modules: number };

/** The part of a row that is dragged, and the row itself, which the pointer then carries a picture of. */
interface Row {
  handle: RefObject<HTMLElement | null>;
  element: RefObject<HTMLElement | null>;
}

/** Makes a row draggable by its handle. */
export function useDraggable({ handle, element }: Row, dragged: Dragged): void {
  const { lesson, module } = dragged;
  useEffect(
    () =>
      draggable({
        element: handle.current!,
        getInitialData: () => ({ lesson, module }),
        onGenerateDragPreview: ({ nativeSetDragImage }) => nativeSetDragImage?.(element.current!, 16, 16),
      }),
    [handle, element, lesson, module],
  );
}

/** Lets something be dropped on a row, in the gap above it or below, whichever is nearer to the pointer. */
export function useDropTarget(row: RefObject<HTMLElement | null>, kind: "lesson" | "module", above: Gap, below: Gap): void {
  const gapAt = useEffectEvent((isAbove: boolean): Gap => (isAbove ? above : below));
  useEffect(
    () =>
      dropTargetForElements({
        element: row.current!,
        canDrop: ({ source }) => source.data[kind] !== undefined,
        // The pointer may pass the edge of the list.
        getIsSticky: () => true,
        getData: ({ input, element }) => {
          const { top, height } = element.getBoundingClientRect();
          return { gap: gapAt(input.clientY < top + height / 2) };
        },
      }),
    [row, kind],
  );
}

interface DragOptions {
  onStart: () => void;
  /** `gap` is undefined when the drag was cancelled. */
  onEnd: (dragged: Dragged, gap: Gap | undefined) => void;
}

/** Follows a drag, and returns what is dragged and the gap where it would be dropped. */
export function useDrag(options: DragOptions): { dragged: Dragged; gap: Gap | undefined } | undefined {
  const [state, setState] = useState<{ dragged: Dragged; gap: Gap | undefined }>();
  const start = useEffectEvent(options.onStart);
  const end = useEffectEvent(options.onEnd);
  useEffect(
    () =>
      monitorForElements({
        onDragStart: ({ source }) => {
          start();
          setState({ dragged: source.data as Dragged, gap: undefined });
        },
        onDrag: ({ source, location }) => {
          const gap = gapOf(location.current.dropTargets);
          setState((before) => (isSame(before?.gap, gap) ? before : { dragged: source.data as Dragged, gap }));
        },
        onDrop: ({ source, location }) => {
          setState(undefined);
          end(source.data as Dragged, gapOf(location.current.dropTargets));
        },
      }),
    [],
  );
  return state;
}

function gapOf(targets: { data: Record<string | symbol, unknown> }[]): Gap | undefined {
  return targets[0]?.data["gap"] as Gap | undefined;
}

function isSame(one: Gap | undefined, other: Gap | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
