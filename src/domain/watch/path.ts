/** The fields of a video that the path needs. */
export interface PathVideo {
  module: string;
  /** Null while the seller has not placed the module. */
  module_order: number | null;
  /** Whether the student may play it. */
  playable: boolean;
  /** Null before it was first played. */
  progress: { done: boolean; watched_at: string } | null;
}

/** A video with its number in the path, from 1. */
export interface Lesson<Video> {
  number: number;
  video: Video;
}

/** A module with its lessons, in the order of the path. */
export interface PathModule<Video> {
  name: string;
  lessons: Lesson<Video>[];
}

/**
 * Returns the course as the seller ordered it (PATH-1): modules by their place, those without one after them, in the order of `videos`;
 * lessons in the order of `videos`, numbered through all modules, locked ones too, so that a number means the same to everybody.
 */
export function pathOf<Video extends Pick<PathVideo, "module" | "module_order">>(
  videos: readonly Video[],
): PathModule<Video>[] {
  const places = new Map(videos.map(({ module, module_order }) => [module, module_order ?? Number.POSITIVE_INFINITY]));
  // Two without a place keep their order: their difference is not a number, which counts as none.
  const modules = [...places].sort(([, a], [, b]) => a - b || 0);
  let number = 0;
  return modules.map(([name]) => ({
    name,
    lessons: videos.filter(({ module }) => module === name).map((video) => ({ number: ++number, video })),
  }));
}

/** What a student does next; `lesson` is the one to play. */
export type NextStep<Video> = { step: "start" | "continue"; lesson: Lesson<Video> } | { step: "finished" } | { step: "none" };

/**
 * Returns what a student does next (PATH-2). Of the lessons they may play, the first of these that exists:
 * - `continue` with the lesson that was watched last of those that were begun and are not done;
 * - `continue` with the first that is not done after the one watched last, else with the first that is not done at all;
 * - `finished` when all are done. `start` with the first one where nothing was begun. `none` where nothing may be played.
 */
export function nextStep<Video extends PathVideo>(path: readonly PathModule<Video>[]): NextStep<Video> {
  const lessons = path.flatMap((module) => module.lessons).filter(({ video }) => video.playable);
  const [first] = lessons;
  if (first === undefined) return { step: "none" };
  const begun = lessons.filter(({ video }) => video.progress !== null);
  const last = watchedLast(begun);
  if (last === undefined) return { step: "start", lesson: first };
  const left = lessons.filter(({ video }) => !isDone(video));
  const begunLast = watchedLast(begun.filter(({ video }) => !isDone(video)));
  // Stryker disable next-line Boundary: where nothing is begun, the one watched last is done, so not left.
  const lesson = begunLast ?? left.find(({ number }) => number > last.number) ?? left[0];
  return lesson === undefined ? { step: "finished" } : { step: "continue", lesson };
}

/** Returns how many of the lessons that a student may play are done (PATH-3). */
export function doneOf<Video extends PathVideo>(lessons: readonly Lesson<Video>[]): { done: number; playable: number } {
  const playable = lessons.filter(({ video }) => video.playable);
  return { done: playable.filter(({ video }) => isDone(video)).length, playable: playable.length };
}

function isDone({ progress }: PathVideo): boolean {
  return progress?.done ?? false;
}

function watchedLast<Video extends PathVideo>(lessons: readonly Lesson<Video>[]): Lesson<Video> | undefined {
  // Stryker disable next-line OptionalChaining,StringLiteral: only lessons that were begun come here.
  const timeOf = ({ video }: Lesson<Video>): number => Date.parse(video.progress?.watched_at ?? "");
  return lessons.reduce<Lesson<Video> | undefined>(
    // Stryker disable next-line Boundary: of two that were watched at one time, either is the last.
    (last, lesson) => (last === undefined || timeOf(lesson) > timeOf(last) ? lesson : last),
    undefined,
  );
}
