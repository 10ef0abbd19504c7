import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lastAudit } from "../../../../../tests/support/app.ts";
import { startCourse, type Course } from "../../../../../tests/support/course/start-course.ts";
import { outcome, type Answer } from "../../../../../tests/support/people.ts";

let course: Course;
beforeAll(async () => (course = await startCourse()));
beforeEach(() => course.app.sql("delete from videos"));
beforeEach(() => course.app.sql("delete from module_order"));
afterAll(() => course?.app.close());

const sorted = (texts: string[]): string[] => texts.toSorted((one, other) => one.localeCompare(other));
const list = async (): Promise<any[]> => (await course.unpaid.call("GET", "/api/videos")).body.items;
const order = (modules: unknown): Promise<Answer> => course.operator.call("PUT", "/api/modules/order", { modules });
const orderVideos = (module: string, ids: unknown): Promise<Answer> =>
  course.operator.call("PUT", `/api/modules/${encodeURIComponent(module)}/videos`, { ids });

// VIDEOS-1
describe("moving videos to another module", () => {
  const take = (module: string, ids: string[], taken: string[]): Promise<Answer> =>
    course.operator.call("PUT", `/api/modules/${encodeURIComponent(module)}/videos`, { ids, taken });
  const addTo = async (module: string, count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let order_index = 1; order_index <= count; order_index++) ids.push((await course.add({ module, order_index })).id);
    return ids;
  };
  const courseNow = async (): Promise<unknown[]> =>
    (await list()).map(({ module, order_index, id }) => [module, order_index, id]);

  it("takes a video over from another module, to the place that is named", async () => {
    const [a, b] = await addTo("Basics", 2);
    const [x, y] = await addTo("Waves", 2);
    expect((await take("Basics", [a!, x!, b!], [x!])).body).toEqual({ ids: [a, x, b] });
    expect(await courseNow()).toEqual([
      ["Basics", 1, a],
      ["Basics", 2, x],
      ["Basics", 3, b],
      ["Waves", 2, y],
    ]);
    expect(await lastAudit(course.app)).toMatchObject({
      action: "videos.order",
      subject_id: "Basics",
      details: { before: [a, b], after: [a, x, b] },
    });
  });

  it("refuses videos that are gone, already there, or of a module renamed since", async () => {
    const [a, b] = await addTo("Basics", 2);
    const [x] = await addTo("Waves", 2);
    const before = await courseNow();
    const gone = randomUUID();
    for (const [module, ids, taken] of [
      ["Basics", [a, b, gone], [gone]],
      ["Basics", [a, b], [b]],
      ["Basics", [a, b, x], []],
      ["Basics", [a, x], [x]],
      ["Basics", [a, b], [x]],
      ["Renamed", [a, b, x], [x]],
    ] as [string, string[], string[]][]) {
      expect(outcome(await take(module, ids, taken))).toEqual([409, "order_outdated"]);
    }
    expect(outcome(await take("Basics", [a!, b!, x!], [x!, x!]))).toEqual([400, "order_repeats"]);
    expect(await courseNow()).toEqual(before);
  });

  it("refuses a move that was made from another order than the present one", async () => {
    const [a, b, c] = (await addTo("Basics", 3)) as [string, string, string];
    const [x, y] = (await addTo("Waves", 2)) as [string, string];
    const put = (module: string, body: unknown): Promise<Answer> =>
      course.operator.call("PUT", `/api/modules/${module}/videos`, body);
    expect((await put("Basics", { ids: [b, a, c], before: [a, b, c] })).status).toBe(200);
    for (const body of [
      { ids: [c, a, b], before: [a, b, c] },
      { ids: [a, b, x, c], taken: [x], before: [a, b, c] },
    ])
      expect(outcome(await put("Basics", body))).toEqual([409, "order_outdated"]);
    expect((await list()).map(({ id }) => id)).toEqual([b, a, c, x, y]);
    expect((await put("Basics", { ids: [b, x, a, c], taken: [x], before: [b, a, c] })).status).toBe(200);
  });

  it("loses and doubles nothing when several pages move videos at once", async () => {
    const [a, b] = await addTo("Basics", 2);
    const [x, y] = await addTo("Waves", 2);
    const answers = await Promise.all([
      take("Basics", [a!, b!, x!], [x!]),
      take("Waves", [x!, y!, a!], [a!]),
      take("Basics", [y!, a!, b!], [y!]),
      orderVideos("Basics", [b, a]),
      orderVideos("Waves", [y, x]),
      course.operator.call("DELETE", `/api/videos/${b}`),
    ]);
    for (const answer of answers) expect([200, 409]).toContain(answer.status);
    const now = await list();
    expect(sorted(now.map(({ id }) => id))).toEqual(sorted([a!, x!, y!]));
    const places = now.map(({ module, order_index }) => `${module} ${order_index}`);
    expect(new Set(places).size).toBe(places.length);
  });
});

// VIDEOS-2
describe("renaming a module", () => {
  const rename = (module: string, body: unknown): Promise<Answer> =>
    course.operator.call("PATCH", `/api/modules/${encodeURIComponent(module)}`, body);
  const add = async (module: string, ...titles: string[]): Promise<void> => {
    for (const [index, title] of titles.entries()) await course.add({ module, title, order_index: (index + 1) * 10 });
  };
  const titles = async (): Promise<unknown[]> => (await list()).map((one) => [one.module, one.module_order, one.title]);
  const audits = () => course.app.sql("select details from audit_log where action = 'module.rename'");

  it("renames a module for all its videos and in the order, with one audit entry", async () => {
    await add("Basics", "A", "B");
    await add("Waves", "W");
    await order(["Waves", "Basics"]);
    const count = (await audits()).length;
    expect((await rename("Basics", { name: " First / steps " })).body).toEqual({ name: "First / steps" });
    expect(await titles()).toEqual([
      ["First / steps", 2, "A"],
      ["First / steps", 2, "B"],
      ["Waves", 1, "W"],
    ]);
    expect(await audits()).toHaveLength(count + 1);
    expect(await lastAudit(course.app)).toMatchObject({
      subject_id: "First / steps",
      details: { before: "Basics", after: "First / steps", merged: false },
    });
  });

  it("asks before it merges two modules, and then appends the lessons", async () => {
    await add("Basics", "A", "B");
    await add("Waves", "V", "W");
    await order(["Waves", "Basics"]);
    const before = await list();
    expect(outcome(await rename("Waves", { name: "Basics" }))).toEqual([409, "module_exists"]);
    expect(await list()).toEqual(before);
    expect((await rename("Waves", { name: "Basics", merge: true })).status).toBe(200);
    expect((await list()).map((one) => [one.module, one.order_index, one.title])).toEqual([
      ["Basics", 1, "A"],
      ["Basics", 2, "B"],
      ["Basics", 3, "V"],
      ["Basics", 4, "W"],
    ]);
    expect(await course.app.sql("select module from module_order")).toEqual([{ module: "Basics" }]);
  });

  it("takes the place of an emptied module that had the new name", async () => {
    await add("Basics", "A");
    await add("Waves", "W");
    await order(["Waves", "Basics"]);
    const [basics] = await list();
    await course.operator.call("DELETE", `/api/videos/${basics.id}`);
    await rename("Waves", { name: "Basics" });
    expect(await titles()).toEqual([["Basics", 1, "W"]]);
  });

  it("gives a module without a place none that was left to its new name", async () => {
    await add("Basics", "A");
    await add("Waves", "W");
    await order(["Basics", "Waves"]);
    const [basics] = await list();
    await course.operator.call("DELETE", `/api/videos/${basics.id}`);
    await add("New", "N");
    await rename("New", { name: "Basics" });
    expect(await titles()).toEqual([
      ["Basics", null, "N"],
      ["Waves", 2, "W"],
    ]);
  });

  it("refuses an empty module and a bad name, and keeps a module of its own name", async () => {
    await add("Basics", "A");
    const before = await lastAudit(course.app);
    expect(outcome(await rename("Unknown", { name: "Basics", merge: true }))).toEqual([404, "module_not_found"]);
    for (const name of ["", "a".repeat(101), 7]) expect((await rename("Basics", { name })).status).toBe(400);
    expect((await rename("Basics", { name: "Basics" })).status).toBe(200);
    expect(await lastAudit(course.app)).toEqual(before);
  });

  it("leaves no video behind when it is renamed, filled and ordered at once", async () => {
    await add("Basics", "A", "B");
    const ids = (await list()).map(({ id }) => id);
    const [renamed, again, ordered] = await Promise.all([
      rename("Basics", { name: "First" }),
      rename("Basics", { name: "Second" }),
      orderVideos("Basics", ids.toReversed()),
      course.add({ module: "Basics", title: "C" }),
    ]);
    const done = [200, undefined];
    for (const answer of [renamed, again]) expect([done, [404, "module_not_found"]]).toContainEqual(outcome(answer));
    expect([renamed.status, again.status]).toContain(200);
    expect([done, [409, "order_outdated"]]).toContainEqual(outcome(ordered));
    const now = await list();
    expect(sorted(now.map(({ title }) => title))).toEqual(["A", "B", "C"]);
    const modules = (await course.app.sql<{ module: string }>("select distinct module from videos")).map(
      ({ module }) => module,
    );
    for (const module of modules) expect(["Basics", "First", "Second"]).toContain(module);
    expect(now.find(({ title }) => title === "A").module).toBe(now.find(({ title }) => title === "B").module);
  });
});
