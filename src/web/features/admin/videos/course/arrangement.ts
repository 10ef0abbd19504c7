import type { Video } from "#domain/api/course/videos";
import { pathOf } from "#domain/watch/path";

/** A module with its lessons, in the seller's order. */
export interface Module {
  name: string;
  videos: Video[];
}

/** A place for a lesson: how many of a module's other lessons are before it. */
export interface Place {
  module: string;
  index: number;
}

/**
 * A new order as the server takes it: of the modules (PATH-1), or of the lessons in one, with those taken from others (VIDEOS-1). `before` is the
 * order that it was made from.
 */
export type NewOrder = { before: string[] } & (
  | { modules: string[]; module?: never }
  | { module: string; ids: string[]; taken: string[] }
);

/** The course after a move, what the server is asked for it, and the words that announce it. */
export interface Move {
  course: Module[];
  order: NewOrder;
  announcement: string;
}

/** Returns the course as the dashboard has it (PATH-1). */
export function courseOf(videos: readonly Video[]): Module[] {
  return pathOf(videos).map(({ name, lessons }) => ({ name, videos: lessons.map(({ video }) => video) }));
}

/** Returns a move of a lesson; undefined when it is there already, or when lesson or module are gone. A module that it leaves empty disappears. */
export function moveLesson(course: readonly Module[], id: string, to: Place): Move | undefined {
  const from = placeOf(course, id);
  const video = course.flatMap(({ videos }) => videos).find((one) => one.id === id);
  const target = course.find(({ name }) => name === to.module);
  if (!from || !video || !target || (from.module === to.module && from.index === to.index)) return undefined;
  const others = target.videos.filter((one) => one.id !== id);
  const videos = inserted(others, to.index, { ...video, module: to.module }).map((one, index) => ({
    ...one,
    order_index: index + 1,
  }));
  const isTaken = from.module !== to.module;
  const place = `number ${to.index + 1} of ${videos.length}`;
  return {
    course: course
      .map((module) =>
        module === target ? { ...module, videos } : { ...module, videos: module.videos.filter((one) => one.id !== id) },
      )
      .filter((module) => module.videos.length > 0),
    order: {
      module: to.module,
      ids: videos.map((one) => one.id),
      taken: isTaken ? [id] : [],
      before: target.videos.map((one) => one.id),
    },
    announcement: `${video.title} is now ${place}${isTaken ? ` in ${to.module}` : ""}.`,
  };
}

/** Returns a move of a module to a place, from 0, among the others; undefined when it is there already or gone. */
export function moveModule(course: readonly Module[], name: string, index: number): Move | undefined {
  const from = course.findIndex((module) => module.name === name);
  const moving = course[from];
  if (!moving || from === index || index < 0 || index >= course.length) return undefined;
  const others = course.filter((module) => module !== moving);
  const moved = inserted(others, index, moving);
  return {
    course: moved,
    order: { modules: moved.map((module) => module.name), before: course.map((module) => module.name) },
    announcement: `${name} is now number ${index + 1} of ${course.length}.`,
  };
}

/** Returns the place one step up or down, which at the end of a module is in the next one; undefined at the end of the course. */
export function stepOf(course: readonly Module[], id: string, step: -1 | 1): Place | undefined {
  const from = placeOf(course, id);
  if (!from) return undefined;
  const at = course.findIndex(({ name }) => name === from.module);
  const index = from.index + step;
  if (index >= 0 && index < course[at]!.videos.length) return { module: from.module, index };
  const next = course[at + step];
  return next && { module: next.name, index: step > 0 ? 0 : next.videos.length };
}

/** Returns the place of a gap between lessons, counted with the one that moves, as `Place` counts it: without. */
export function placeAtGap(course: readonly Module[], id: string, gap: Place): Place {
  const from = placeOf(course, id);
  return from?.module === gap.module && from.index < gap.index ? { ...gap, index: gap.index - 1 } : gap;
}

function inserted<Item>(list: readonly Item[], index: number, item: Item): Item[] {
  return [...list.slice(0, index), item, ...list.slice(index)];
}

function placeOf(course: readonly Module[], id: string): Place | undefined {
  for (const { name, videos } of course) {
    const index = videos.findIndex((video) => video.id === id);
    if (index >= 0) return { module: name, index };
  }
  return undefined;
}
