import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startCourse, type Course } from "../../../../tests/support/course/start-course.ts";
import { outcome, type Answer } from "../../../../tests/support/people.ts";

let course: Course;
beforeAll(async () => (course = await startCourse()));
beforeEach(() => course.app.sql("delete from videos"));
beforeEach(() => course.app.sql("delete from module_order"));
afterAll(() => course?.app.close());

const sorted = (texts: string[]): string[] => texts.toSorted((one, other) => one.localeCompare(other));
const list = async (): Promise<any[]> => (await course.operator.call("GET", "/api/videos")).body.items;
const summary = async (): Promise<string[]> =>
  (await list()).map(({ module, order_index, title, package_type }) => `${module} ${order_index} ${title} ${package_type}`);
const update = (ids: unknown, changes: unknown): Promise<Answer> =>
  course.operator.call("PATCH", "/api/videos", { ids, changes });
const remove = (ids: unknown): Promise<Answer> => course.operator.call("POST", "/api/videos/delete", { ids });
const add = async (module: string, ...titles: string[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const [index, title] of titles.entries())
    ids.push((await course.add({ module, title, order_index: 10 * (index + 1) })).id);
  return ids;
};
const audits = (action: string) =>
  course.app.sql<any>("select subject_type, subject_id, details from audit_log where action = $1 order by id", [action]);

// VIDEOS-3
describe("changing several videos", () => {
  it("changes the package of several videos, with one audit entry that names them", async () => {
    const [a, b] = await add("Basics", "A", "B", "C");
    expect(sorted((await update([b, a], { package_type: "advanced" })).body.ids)).toEqual(sorted([a!, b!]));
    expect(await summary()).toEqual(["Basics 10 A advanced", "Basics 20 B advanced", "Basics 30 C both"]);
    const entries = await audits("videos.update");
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ subject_type: "course", subject_id: "videos" });
    expect(entries[0].details).toMatchObject({
      count: 2,
      before: { A: "Basics, both", B: "Basics, both" },
      after: { A: "Basics, advanced", B: "Basics, advanced" },
    });
  });

  it("moves several videos behind those of a module, in the order of the dashboard", async () => {
    const [, b] = await add("Basics", "A", "B");
    const [v, w] = await add("Waves", "V", "W");
    const [p] = await add("Psychology", "P");
    await course.operator.call("PUT", "/api/modules/order", { modules: ["Waves", "Psychology", "Basics"] });
    await update([b, w, p, v], { module: "Psychology", package_type: "starter" });
    expect(await summary()).toEqual([
      "Basics 10 A both",
      "Psychology 1 P starter",
      "Psychology 2 V starter",
      "Psychology 3 W starter",
      "Psychology 4 B starter",
    ]);
  });

  it("leaves the numbers alone when all are in the module already", async () => {
    const ids = await add("Basics", "A", "B");
    await update(ids, { module: "Basics" });
    expect(await summary()).toEqual(["Basics 10 A both", "Basics 20 B both"]);
  });

  it("changes none when one of them is gone", async () => {
    const ids = await add("Basics", "A", "B");
    const before = [await summary(), (await audits("videos.update")).length];
    expect(outcome(await update([...ids, randomUUID()], { module: "Waves", package_type: "starter" }))).toEqual([
      404,
      "video_not_found",
    ]);
    expect([await summary(), (await audits("videos.update")).length]).toEqual(before);
  });

  it.each([
    ["no videos", [], { package_type: "both" }],
    ["101 videos", Array.from({ length: 101 }, () => randomUUID()), { package_type: "both" }],
    ["an id that is none", ["a"], { package_type: "both" }],
    ["no change", [randomUUID()], {}],
    ["an unknown package", [randomUUID()], { package_type: "gold" }],
    ["a title for all", [randomUUID()], { title: "Same" }],
    ["a module without a name", [randomUUID()], { module: " " }],
  ])("refuses a change of several videos with %s", async (_what, ids, changes) => {
    expect((await update(ids, changes)).status).toBe(400);
  });
});

// VIDEOS-3
describe("deleting several videos", () => {
  it("deletes several videos with their files, with one audit entry that names them", async () => {
    const upload_id = await course.uploadFilm();
    const film = await course.add({ upload_id, title: "Film" });
    const [a, b] = await add("Basics", "A", "B");
    expect(sorted((await remove([film.id, b])).body.ids)).toEqual(sorted([film.id, b!]));
    expect((await list()).map(({ id }) => id)).toEqual([a]);
    expect(await course.app.sql("select 1 from stored_objects where id = $1", [upload_id])).toEqual([]);
    const [entry] = await audits("videos.delete");
    expect(entry.details).toMatchObject({ count: 2, before: { B: "Basics, both", Film: "Forex Basics, both" } });
  });

  it("deletes none when one is gone, and each once when two pages delete at once", async () => {
    const ids = await add("Basics", "A", "B", "C");
    expect(outcome(await remove([...ids, randomUUID()]))).toEqual([404, "video_not_found"]);
    expect(await list()).toHaveLength(3);
    const answers = await Promise.all([remove(ids), remove(ids.slice(1)), remove([ids[2], ids[0]])]);
    expect(answers.map(outcome).toSorted(([one], [other]) => one - other)).toEqual([
      [200, undefined],
      [404, "video_not_found"],
      [404, "video_not_found"],
    ]);
    const left = await list();
    const deleted = new Set(answers.filter(({ status }) => status === 200).flatMap(({ body }) => body.ids));
    expect(sorted(left.map(({ id }) => id))).toEqual(sorted(ids.filter((id) => !deleted.has(id))));
  });
});

// LIVE-1
it("notifies browsers once of a change of many videos", async () => {
  const changes: unknown[] = [];
  const stop = course.app.deps.changes.subscribe((change) => void (change.topic === "videos" && changes.push(change)));
  const ids = await add("Basics", "A", "B", "C");
  await expect.poll(() => changes).toContainEqual({ topic: "videos", id: ids[2], user_id: null });
  changes.length = 0;
  await update(ids, { package_type: "starter" });
  await course.change(ids[0]!, { title: "Once more" });
  await expect.poll(() => changes).toHaveLength(2);
  expect(changes).toEqual([
    { topic: "videos", id: null, user_id: null },
    { topic: "videos", id: ids[0], user_id: null },
  ]);
  stop();
});
