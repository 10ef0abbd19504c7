import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { doneOf, nextStep, pathOf, type PathVideo } from "./path.ts";

interface Video extends PathVideo {
  id: number;
}

/** A playable lesson of module M that nobody opened, but for what is given. */
const video = (id: number, given: Partial<Video> = {}): Video => ({
  id,
  module: "M",
  module_order: null,
  playable: true,
  progress: null,
  ...given,
});
const day = (number: number): string => `2026-11-${String(number).padStart(2, "0")}T08:00:00.000Z`;
const begun = (on: number) => ({ progress: { done: false, watched_at: day(on) } });
const done = (on: number) => ({ progress: { done: true, watched_at: day(on) } });
const locked = { playable: false };
const inModule = (module: string, module_order: number | null = null) => ({ module, module_order });

const next = (...videos: Video[]): [string, number?] => {
  const found = nextStep(pathOf(videos));
  return "lesson" in found ? [found.step, found.lesson.number] : [found.step];
};

/** Courses of a few modules, some of them placed, with lessons in every state. */
const courses = fc
  .record({
    places: fc.uniqueArray(fc.option(fc.integer({ min: 1, max: 9 })), {
      minLength: 4,
      maxLength: 4,
      comparator: (a, b) => a !== null && a === b,
    }),
    lessons: fc.array(
      fc.record({
        module: fc.integer({ min: 0, max: 3 }),
        playable: fc.boolean(),
        progress: fc.option(fc.record({ done: fc.boolean(), day: fc.integer({ min: 1, max: 28 }) })),
      }),
      { maxLength: 12 },
    ),
  })
  .map(({ places, lessons }) =>
    lessons
      .toSorted((a, b) => a.module - b.module)
      .map(({ module, playable, progress }, id) =>
        video(id, {
          ...inModule(`module ${module}`, places[module] ?? null),
          playable,
          progress: progress && { done: progress.done, watched_at: day(progress.day) },
        }),
      ),
  );
const always = (law: (course: Video[]) => void): void => fc.assert(fc.property(courses, law), { numRuns: 500 });

// PATH-1
describe("the path", () => {
  const order = (...videos: Video[]) => pathOf(videos).map(({ name, lessons }) => [name, lessons.map(({ number }) => number)]);

  it("orders modules by their place, then those without one as given", () => {
    const videos = [
      video(1, inModule("A")),
      video(2, inModule("B", 2)),
      video(3, inModule("B", 2)),
      video(4, inModule("C")),
      video(5, inModule("D", 1)),
    ];
    expect(order(...videos)).toEqual([
      ["D", [1]],
      ["B", [2, 3]],
      ["A", [4]],
      ["C", [5]],
    ]);
  });

  it("numbers locked lessons too", () => {
    expect(order(video(1, locked), video(2))).toEqual([["M", [1, 2]]]);
  });

  it("has every video once, numbered without gaps, each module in one piece", () => {
    always((course) => {
      const path = pathOf(course);
      const lessons = path.flatMap((module) => module.lessons);
      expect(lessons.map(({ number }) => number)).toEqual(course.map((_, index) => index + 1));
      expect(new Set(lessons.map((lesson) => lesson.video))).toEqual(new Set(course));
      for (const { name, lessons: own } of path) {
        expect(own.map((lesson) => lesson.video)).toEqual(course.filter(({ module }) => module === name));
      }
    });
  });

  it("never has a placed module after one of a later place or without a place", () => {
    always((course) => {
      const places = pathOf(course).map(({ lessons }) => lessons[0]?.video.module_order ?? Infinity);
      expect(places).toEqual(places.toSorted((a, b) => (a === b ? 0 : a - b)));
    });
  });
});

// PATH-2
describe("what a student does next", () => {
  it.each<[string, Video[], [string, number?]]>([
    ["is nothing in an empty course", [], ["none"]],
    ["is nothing where all is locked", [video(1, locked)], ["none"]],
    ["starts with the first lesson that is not locked", [video(1, locked), video(2), video(3)], ["start", 2]],
    ["continues the lesson that was begun", [video(1), video(2, begun(1)), video(3)], ["continue", 2]],
    [
      "continues the lesson that was watched last",
      [video(1, begun(1)), video(2, begun(3)), video(3, begun(2))],
      ["continue", 2],
    ],
    ["continues what was begun before a newer done one", [video(1, begun(1)), video(2, done(2)), video(3)], ["continue", 1]],
    ["goes on after the last done", [video(1, done(1)), video(2, done(2)), video(3), video(4)], ["continue", 3]],
    [
      "goes on after the one done last, not the furthest",
      [video(1, done(9)), video(2), video(3, done(1)), video(4)],
      ["continue", 2],
    ],
    ["skips done and locked lessons", [video(1, done(2)), video(2, done(1)), video(3, locked), video(4)], ["continue", 4]],
    ["returns to what was left out at the end", [video(1), video(2, done(1)), video(3, done(2))], ["continue", 1]],
    ["goes on after a done one, past what was left out", [video(1), video(2, done(1)), video(3)], ["continue", 3]],
    ["is finished when every lesson is done", [video(1, done(1)), video(2, done(2)), video(3, locked)], ["finished"]],
    ["leaves aside what was watched before it was locked", [video(1), video(2, { ...begun(1), ...locked })], ["start", 1]],
  ])("%s", (_what, videos, wanted) => expect(next(...videos)).toEqual(wanted));

  it("proposes a lesson that may be played and is not done, or none", () => {
    always((course) => {
      const found = nextStep(pathOf(course));
      const open = course.filter(({ playable, progress }) => playable && !progress?.done);
      if ("lesson" in found) expect(open).toContain(found.lesson.video);
      else expect(open).toEqual([]);
    });
  });

  it("proposes to start exactly where no playable lesson was begun", () => {
    always((course) => {
      const playable = course.filter((one) => one.playable);
      const isStart = playable.length > 0 && playable.every(({ progress }) => progress === null);
      expect(nextStep(pathOf(course)).step === "start").toBe(isStart);
    });
  });

  it("proposes every lesson once when each is done in its turn", () => {
    always((course) => {
      let now = course;
      const visited: number[] = [];
      for (let on = 1; on <= course.length + 1; on += 1) {
        const found = nextStep(pathOf(now));
        if (!("lesson" in found)) break;
        const { id } = found.lesson.video;
        visited.push(id);
        now = now.map((one) => (one.id === id ? { ...one, progress: { done: true, watched_at: `2027-01-${10 + on}` } } : one));
      }
      const open = course.filter(({ playable, progress }) => playable && !progress?.done).map(({ id }) => id);
      expect(visited.toSorted((a, b) => a - b)).toEqual(open);
    });
  });
});

// PATH-3
it("counts only playable lessons of a module as done", () => {
  const [module] = pathOf([video(1, done(1)), video(2), video(3, { ...done(2), ...locked }), video(4, begun(2))]);
  expect(doneOf(module!.lessons)).toEqual({ done: 1, playable: 3 });
});
