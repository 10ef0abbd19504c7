import { describe, expect, it } from "vitest";
import type { Video } from "#domain/api/course/videos";
import { moveLesson, moveModule, placeAtGap, stepOf, type Module } from "./arrangement.ts";

const course: Module[] = [
  ["Basics", "a", "b", "c"],
  ["Waves", "v", "w"],
  ["Mind", "m"],
].map(([name = "", ...ids]) => ({
  name,
  videos: ids.map((id, index) => ({ id, title: id.toUpperCase(), module: name, order_index: 10 * (index + 1) }) as Video),
}));
const summary = (modules: readonly Module[] | undefined): string[] | undefined =>
  modules?.map(({ name, videos }) =>
    [name, ...videos.map(({ id, module, order_index }) => `${id}${order_index}${module[0]}`)].join(" "),
  );

// VIDEOS-1
describe("moving a lesson", () => {
  it("numbers the lessons of its module anew", () => {
    const move = moveLesson(course, "a", { module: "Basics", index: 1 });
    expect(summary(move?.course)).toEqual(["Basics b1B a2B c3B", "Waves v10W w20W", "Mind m10M"]);
    expect(move?.order).toEqual({ module: "Basics", ids: ["b", "a", "c"], taken: [], before: ["a", "b", "c"] });
    expect(move?.announcement).toBe("A is now number 2 of 3.");
  });

  it("takes it out of its module, and leaves the numbers there", () => {
    const move = moveLesson(course, "b", { module: "Waves", index: 2 });
    expect(summary(move?.course)).toEqual(["Basics a10B c30B", "Waves v1W w2W b3W", "Mind m10M"]);
    expect(move?.order).toEqual({ module: "Waves", ids: ["v", "w", "b"], taken: ["b"], before: ["v", "w"] });
    expect(move?.announcement).toBe("B is now number 3 of 3 in Waves.");
  });

  it("drops a module that it leaves empty", () => {
    expect(summary(moveLesson(course, "m", { module: "Waves", index: 0 })?.course)).toEqual([
      "Basics a10B b20B c30B",
      "Waves m1W v2W w3W",
    ]);
  });

  it.each([
    ["to its own place", "a", { module: "Basics", index: 0 }],
    ["that is gone", "x", { module: "Basics", index: 0 }],
    ["to a module that is gone", "a", { module: "Gone", index: 0 }],
  ])("does nothing with a lesson %s", (_what, id, place) => {
    expect(moveLesson(course, id, place)).toBeUndefined();
  });

  it("steps over the ends of modules, and stops at those of the course", () => {
    expect(stepOf(course, "a", 1)).toEqual({ module: "Basics", index: 1 });
    expect(stepOf(course, "c", 1)).toEqual({ module: "Waves", index: 0 });
    expect(stepOf(course, "v", -1)).toEqual({ module: "Basics", index: 3 });
    expect(stepOf(course, "w", -1)).toEqual({ module: "Waves", index: 0 });
    expect([stepOf(course, "a", -1), stepOf(course, "m", 1), stepOf(course, "x", 1)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("counts gaps below its own place without it", () => {
    const indexes = [0, 1, 2, 3].map((index) => placeAtGap(course, "b", { module: "Basics", index }).index);
    expect(indexes).toEqual([0, 1, 1, 2]);
    expect(placeAtGap(course, "b", { module: "Waves", index: 2 })).toEqual({ module: "Waves", index: 2 });
  });
});

// PATH-1
it("moves a module among the others", () => {
  const move = moveModule(course, "Mind", 0);
  expect(move?.order).toEqual({ modules: ["Mind", "Basics", "Waves"], before: ["Basics", "Waves", "Mind"] });
  expect(summary(move?.course)?.[0]).toBe("Mind m10M");
  expect(move?.announcement).toBe("Mind is now number 1 of 3.");
  for (const [name, index] of [
    ["Mind", 2],
    ["Mind", 3],
    ["Basics", -1],
    ["Gone", 0],
  ] as const) {
    expect(moveModule(course, name, index)).toBeUndefined();
  }
});
