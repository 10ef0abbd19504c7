import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { behindTransaction } from "../../../../../tests/support/database/behind-transaction.ts";
import { startCourse, type Course } from "../../../../../tests/support/course/start-course.ts";
import { outcome, type Answer } from "../../../../../tests/support/people.ts";

let course: Course;
let ids: Record<string, string>;
beforeAll(async () => (course = await startCourse()));
beforeEach(async () => {
  for (const table of ["videos", "module_order"]) await course.app.sql(`delete from ${table}`);
  ids = {};
  for (const [title, module] of Object.entries({ a: "Basics", b: "Basics", x: "Waves", y: "Waves", z: "Last" })) {
    ids[title] = (await course.add({ title, module, order_index: "abxyz".indexOf(title) + 1 })).id;
  }
});
afterAll(() => course?.app.close());

const path = (module: string): string => `/api/modules/${module}`;
const named = (titles: string): string[] => [...titles].map((title) => ids[title]!);
const put = (module: string, titles: string, taken = ""): Promise<Answer> =>
  course.operator.call("PUT", `${path(module)}/videos`, { ids: named(titles), taken: named(taken) });
const order = (...modules: string[]): Promise<Answer> => course.operator.call("PUT", "/api/modules/order", { modules });
const rename = (module: string, name: string, merge = false): Promise<Answer> =>
  course.operator.call("PATCH", path(module), { name, merge });
const moveSelected = (titles: string, module: string): Promise<Answer> =>
  course.operator.call("PATCH", "/api/videos", { ids: named(titles), changes: { module } });

/** Runs two changes so that each has read the course and neither has committed: unless they take turns, both get as far as their audit entry. */
function inStep(one: () => Promise<Answer>, other: () => Promise<Answer>): Promise<Answer[]> {
  const lock = { text: "lock table audit_log in exclusive mode" };
  return behindTransaction(course.app, lock, () => Promise.all([one(), other()]), undefined, 2);
}
const outcomes = async (...changes: Parameters<typeof inStep>): Promise<unknown[]> =>
  (await inStep(...changes)).map(outcome).toSorted(([one], [other]) => one - other);
const done = [200, undefined];
const outdated = [409, "order_outdated"];
async function placesAreUnique(): Promise<void> {
  const { items } = (await course.unpaid.call("GET", "/api/videos")).body;
  const places = items.map(({ module, order_index }: any) => `${module} ${order_index}`);
  expect(places).toHaveLength(5);
  expect(places).toEqual([...new Set(places)]);
}

// VIDEOS-1
it("numbers no two lessons alike when a module is ordered while one moves in", async () => {
  const answers = await outcomes(
    () => put("Basics", "axb", "x"),
    () => put("Basics", "ba"),
  );
  expect([
    [done, done],
    [done, outdated],
  ]).toContainEqual(answers);
  await placesAreUnique();
});

// VIDEOS-1
it("takes a lesson over once when two pages take it at once", async () => {
  const take = () => put("Basics", "abx", "x");
  expect(await outcomes(take, take)).toEqual([done, outdated]);
});

// VIDEOS-2
it("renames a module once when two pages rename it at once", async () => {
  expect(
    await outcomes(
      () => rename("Basics", "First"),
      () => rename("Basics", "Second"),
    ),
  ).toEqual([done, [404, "module_not_found"]]);
});

// VIDEOS-2
it("keeps a module's place when it is renamed while the modules are ordered", async () => {
  const answers = await outcomes(
    () => order("Waves", "Last", "Basics"),
    () => rename("Waves", "Tides"),
  );
  expect([
    [done, done],
    [done, outdated],
  ]).toContainEqual(answers);
  const strays = "select module from module_order where module not in (select module from videos)";
  expect(await course.app.sql(strays)).toEqual([]);
});

// VIDEOS-3
it("numbers no two lessons alike when two pages move lessons to one module at once", async () => {
  const answers = await outcomes(
    () => moveSelected("x", "Basics"),
    () => moveSelected("z", "Basics"),
  );
  expect(answers).toEqual([done, done]);
  await placesAreUnique();
});

// VIDEOS-2, VIDEOS-3
it("numbers no two lessons alike when modules merge while one moves in", async () => {
  const answers = await outcomes(
    () => rename("Last", "Basics", true),
    () => moveSelected("x", "Basics"),
  );
  expect(answers).toEqual([done, done]);
  await placesAreUnique();
});
