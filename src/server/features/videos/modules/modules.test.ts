import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lastAudit } from "../../../../../tests/support/app.ts";
import { startCourse, type Course } from "../../../../../tests/support/course/start-course.ts";
import { outcome, type Answer, type Person } from "../../../../../tests/support/people.ts";

let course: Course;
beforeAll(async () => (course = await startCourse()));
beforeEach(() => course.app.sql("delete from videos"));
beforeEach(() => course.app.sql("delete from module_order"));
afterAll(() => course?.app.close());

const list = async (who: Person = course.unpaid): Promise<any[]> => (await who.call("GET", "/api/videos")).body.items;
const places = async (): Promise<unknown[]> => (await list()).map(({ module, module_order }) => [module, module_order]);
const order = (modules: unknown): Promise<Answer> => course.operator.call("PUT", "/api/modules/order", { modules });
const orderVideos = (module: string, ids: unknown): Promise<Answer> =>
  course.operator.call("PUT", `/api/modules/${encodeURIComponent(module)}/videos`, { ids });

// PATH-1
describe("the order of modules", () => {
  it("stores the seller's order of modules, while the list keeps its own order", async () => {
    for (const module of ["Waves", "Basics", "Psychology"]) await course.add({ module });
    expect(await places()).toEqual([
      ["Basics", null],
      ["Psychology", null],
      ["Waves", null],
    ]);
    expect((await order(["Psychology", "Waves", "Basics"])).body).toEqual({ modules: ["Psychology", "Waves", "Basics"] });
    expect(await places()).toEqual([
      ["Basics", 3],
      ["Psychology", 1],
      ["Waves", 2],
    ]);
    await order(["Basics", "Waves", "Psychology"]);
    expect((await places()).map((place: any) => place[1])).toEqual([1, 3, 2]);
  });

  it("leaves a new module without a place, and keeps the place of an emptied one", async () => {
    for (const module of ["Basics", "Waves"]) await course.add({ module });
    await order(["Waves", "Basics"]);
    const [basics] = await list(course.operator);
    await course.operator.call("DELETE", `/api/videos/${basics.id}`);
    expect((await course.add({ module: "Basics" })).module_order).toBe(2);
    expect((await course.add({ module: "A new one" })).module_order).toBeNull();
  });

  it.each([
    ["with an unknown module", ["Basics", "Waves", "Unknown"], [409, "order_outdated"]],
    ["without one of the modules", ["Basics"], [409, "order_outdated"]],
    ["with another module in place of one", ["Basics", "Unknown"], [409, "order_outdated"]],
    ["with a module twice", ["Basics", "Waves", "Basics"], [400, "order_repeats"]],
    ["with a module twice in place of another", ["Basics", "Basics"], [400, "order_repeats"]],
    ["that is empty", [], [409, "order_outdated"]],
    ["that is no list", "Basics", [400, "invalid_input"]],
    ["of 1,001 modules", Array(1001).fill("Basics"), [400, "invalid_input"]],
  ])("refuses an order %s, and changes nothing", async (_what, modules, refusal) => {
    for (const module of ["Basics", "Waves"]) await course.add({ module });
    await order(["Waves", "Basics"]);
    const before = [await places(), await lastAudit(course.app)];
    expect(outcome(await order(modules))).toEqual(refusal);
    expect([await places(), await lastAudit(course.app)]).toEqual(before);
  });

  it("refuses an order that was made from another one than the dashboard has", async () => {
    for (const module of ["Basics", "Waves", "Psychology", "Mind"]) await course.add({ module });
    await order(["Waves", "Psychology", "Mind", "Basics"]);
    await course.app.sql("delete from module_order where module in ('Mind', 'Basics')");
    const put = (before: string[]): Promise<Answer> =>
      course.operator.call("PUT", "/api/modules/order", { modules: ["Mind", "Basics", "Waves", "Psychology"], before });
    expect(outcome(await put(["Psychology", "Waves", "Basics", "Mind"]))).toEqual([409, "order_outdated"]);
    expect(outcome(await put(["Waves", "Psychology", "Mind", "Basics"]))).toEqual([409, "order_outdated"]);
    expect((await put(["Waves", "Psychology", "Basics", "Mind"])).status).toBe(200);
  });

  it("stores one of several orders that are set at once, whole", async () => {
    const modules = ["A", "B", "C", "D"];
    for (const module of modules) await course.add({ module });
    const orders = [modules, modules.toReversed(), ["B", "A", "D", "C"], ["C", "D", "A", "B"]];
    const answers = await Promise.all([...orders, ...orders].map(order));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const stored = await course.app.sql<{ module: string }>("select module from module_order order by position");
    expect(orders).toContainEqual(stored.map(({ module }) => module));
  });

  it("writes an order of modules to the audit log", async () => {
    await course.add({ module: "Basics" });
    await order(["Basics"]);
    expect(await lastAudit(course.app)).toMatchObject({
      actor_id: course.operator.id,
      action: "modules.order",
      subject_type: "course",
      details: { before: [], after: ["Basics"] },
    });
  });
});

// PATH-1
describe("the order of videos in a module", () => {
  const addThree = async (module: string): Promise<string[]> => {
    const ids: string[] = [];
    for (const order_index of [10, 20, 20]) ids.push((await course.add({ module, order_index })).id);
    return ids;
  };

  it.each(["Basics", "Risk / Reward, 50%?", "ประเทศไทย", "a.b"])("numbers the videos of %s from 1", async (module) => {
    const [first, second, third] = await addThree(module);
    const other = await course.add({ module: "Another", order_index: 7 });
    expect((await orderVideos(module, [third, first, second])).body).toEqual({ ids: [third, first, second] });
    const indexes = new Map((await list()).map(({ id, order_index }) => [id, order_index]));
    expect([first, second, third, other.id].map((id) => indexes.get(id))).toEqual([2, 3, 1, 7]);
    expect(await lastAudit(course.app)).toMatchObject({ action: "videos.order", subject_type: "module", subject_id: module });
  });

  it("refuses an order that does not list the module's videos once each", async () => {
    const [first, second, third] = await addThree("Basics");
    const elsewhere = (await course.add({ module: "Another" })).id;
    const before = await list();
    for (const ids of [[first, second], [first, second, elsewhere], [first, second, third, randomUUID()], []]) {
      expect(outcome(await orderVideos("Basics", ids))).toEqual([409, "order_outdated"]);
    }
    expect(outcome(await orderVideos("Basics", [first, second, first]))).toEqual([400, "order_repeats"]);
    expect(outcome(await orderVideos("Basics", [first, second, "third"]))).toEqual([400, "invalid_input"]);
    expect(outcome(await orderVideos("Unknown", [first]))).toEqual([409, "order_outdated"]);
    expect(await list()).toEqual(before);
  });

  it("stores one of several orders that are set at once, whole", async () => {
    const [a, b, c] = await addThree("Basics");
    const orders = [
      [a, b, c],
      [c, b, a],
      [b, c, a],
    ];
    const answers = await Promise.all([...orders, ...orders].map((ids) => orderVideos("Basics", ids)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(orders).toContainEqual((await list()).map(({ id }) => id));
  });
});

// LIVE-1
it("notifies browsers of a new order of modules", async () => {
  const changed: unknown[] = [];
  const stop = course.app.deps.changes.subscribe((event) => event.topic === "videos" && changed.push(event.id));
  const { id } = await course.add({ module: "Basics" });
  // The notification of the new lesson.
  await expect.poll(() => changed).toContain(id);
  await order(["Basics"]);
  await expect.poll(() => changed.at(-1)).toBeNull();
  stop();
});
