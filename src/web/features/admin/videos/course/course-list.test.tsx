// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Video } from "#domain/api/course/videos";
import { ProductError } from "#domain/errors/messages";
import { show } from "../../../../../../tests/support/render.tsx";
import { api } from "../../../../platform/api.ts";
import { CourseList } from "./course-list.tsx";

const statisticsOfA = vi.hoisted(() => ({ video_id: "a", started: 5, done: 1, stopped: [3, 0, 0, 0, 0, 1, 0, 0, 0, 0] }));
vi.mock("../../../../platform/api.ts", () => ({
  api: {
    statistics: { videos: () => Promise.resolve({ videos: [statisticsOfA] }) },
    videos: {
      list: vi.fn<() => unknown>(),
      update: vi.fn<() => unknown>(),
      updateSelected: vi.fn<() => unknown>(),
      removeSelected: vi.fn<() => unknown>(),
    },
    modules: { order: vi.fn<() => unknown>(), orderVideos: vi.fn<() => unknown>() },
  },
}));
vi.spyOn(console, "error").mockImplementation(() => {});

const { order, orderVideos } = vi.mocked(api.modules);
const { list: listVideos, update, updateSelected, removeSelected } = vi.mocked(api.videos);
const video = (id: string, module: string, module_order: number | null = null): Video =>
  ({ id, title: `Lesson ${id}`, description: "", module, module_order, order_index: 1, package_type: "both" }) as Video;
const course = [video("a", "Basics"), video("b", "Basics"), video("c", "Basics"), video("w", "Waves", 1)];
const has = (...items: Video[]) => listVideos.mockResolvedValue({ items, next_cursor: null });
beforeEach(() => {
  for (const call of [order, orderVideos, update, updateSelected, removeSelected]) call.mockReset();
  orderVideos.mockResolvedValue({ ids: [] });
  order.mockResolvedValue({ modules: [] });
  has(...course);
});

const list = <CourseList onEdit={() => {}} onRemove={() => {}} onRemoved={() => {}} />;
const names = (role: "heading" | "button", level: number): string[] =>
  screen.getAllByRole(role, { level }).map(({ textContent }) => textContent);
const modules = (): string[] => names("heading", 2);
const lessons = (): string[] => names("heading", 3).map((title) => title.replace("Lesson ", ""));
const open = async () => {
  const shown = show(list);
  await screen.findByRole("heading", { name: "Lesson a" });
  return shown.user;
};
/** A call that is answered when the returned function is called. */
const waiting = (): (() => void) => {
  let finish = (): void => {};
  orderVideos.mockImplementationOnce(() => new Promise((resolve) => (finish = () => resolve({ ids: [] }))));
  return () => finish();
};
const button = (name: string): HTMLElement => screen.getByRole("button", { name });

// PATH-1
test("the buttons of a module send the whole order of modules", async () => {
  const user = await open();
  expect(modules()).toEqual(["Waves", "Basics"]);
  await user.click(button("Move module Basics up"));
  await waitFor(() => expect(order.mock.lastCall).toEqual([{ modules: ["Basics", "Waves"], before: ["Waves", "Basics"] }]));
  expect(await screen.findByText("Basics is now number 1 of 2.")).toBeDefined();
});

// VIDEOS-1
test("the buttons of a lesson move it at once and send the order of its module", async () => {
  const finish = waiting();
  const user = await open();
  await user.click(button("Move Lesson a down"));
  expect(lessons()).toEqual(["w", "b", "a", "c"]);
  finish();
  const wanted = { params: { module: "Basics" }, body: { ids: ["b", "a", "c"], taken: [], before: ["a", "b", "c"] } };
  await waitFor(() => expect(orderVideos.mock.lastCall).toEqual([wanted]));
  expect(await screen.findByText("Lesson a is now number 2 of 3.")).toBeDefined();
});

test("Alt with an arrow moves a lesson into the next module and keeps its focus", async () => {
  const finish = waiting();
  const user = await open();
  button("Edit Lesson a").focus();
  await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
  expect(lessons()).toEqual(["w", "a", "b", "c"]);
  expect(document.activeElement).toBe(button("Edit Lesson a"));
  const wanted = { params: { module: "Waves" }, body: { ids: ["w", "a"], taken: ["a"], before: ["w"] } };
  await waitFor(() => expect(orderVideos.mock.lastCall).toEqual([wanted]));
  finish();
  expect(await screen.findByText("Lesson a is now number 2 of 2 in Waves.")).toBeDefined();
  // The mocked list has the old order, as after another page's move.
  expect(lessons()).toEqual(["w", "a", "b", "c"]);
  expect(document.activeElement).toBe(button("Edit Lesson a"));
});

test("several moves are displayed at once and saved one after the other", async () => {
  const finish = waiting();
  const user = await open();
  await user.click(button("Move Lesson a down"));
  await user.click(button("Move Lesson a down"));
  expect(lessons()).toEqual(["w", "b", "c", "a"]);
  expect(orderVideos).toHaveBeenCalledTimes(1);
  finish();
  await waitFor(() => expect(orderVideos).toHaveBeenCalledTimes(2));
  expect(orderVideos.mock.lastCall?.[0].body).toEqual({ ids: ["b", "c", "a"], taken: [], before: ["b", "a", "c"] });
});

test("a refused move goes back to what the server has, and the one behind it unsent", async () => {
  let refuse = (): void => {};
  orderVideos.mockImplementationOnce(
    () => new Promise((_, reject) => (refuse = () => reject(new ProductError("order_outdated")))),
  );
  const user = await open();
  for (let click = 0; click < 2; click += 1) await user.click(button("Move Lesson a down"));
  expect(lessons()).toEqual(["w", "b", "c", "a"]);
  refuse();
  await waitFor(() => expect(lessons()).toEqual(["w", "a", "b", "c"]));
  expect(orderVideos).toHaveBeenCalledTimes(1);
});

test("a button at the end of the course does nothing, and keeps the focus", async () => {
  const user = await open();
  for (const name of ["Move Lesson w up", "Move Lesson c down"]) {
    expect(button(name).getAttribute("aria-disabled")).toBe("true");
    await user.click(button(name));
    expect(document.activeElement).toBe(button(name));
  }
  expect(orderVideos).not.toHaveBeenCalled();
});

test("a title is changed in its place with Enter, and left with Escape", async () => {
  update.mockResolvedValue(course[0]!);
  const user = await open();
  await user.click(button("Lesson a"));
  await user.keyboard("Another{Escape}");
  expect(document.activeElement).toBe(button("Lesson a"));
  expect(update).not.toHaveBeenCalled();
  await user.click(button("Lesson a"));
  has({ ...course[0]!, title: "Pips" }, ...course.slice(1));
  await user.keyboard("Pips{Enter}");
  await waitFor(() => expect(document.activeElement).toBe(button("Pips")));
  expect(update).toHaveBeenCalledExactlyOnceWith({ params: { id: "a" }, body: { title: "Pips" } });
});

test("an empty title and a refused one stay in the field, with the reason", async () => {
  update.mockRejectedValue(new ProductError("video_not_found"));
  const user = await open();
  await user.click(button("Lesson a"));
  await user.keyboard("{Backspace}{Enter}");
  expect((await screen.findByRole("alert")).textContent).toBe("Please enter a title.");
  await user.keyboard("Pips{Enter}");
  await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("This video no longer exists."));
  expect(screen.getByRole<HTMLInputElement>("textbox").value).toBe("Pips");
});

// VIDEOS-3
test("a range is selected with Shift, and a module with its own box", async () => {
  const user = await open();
  const box = (name: string): HTMLInputElement => screen.getByRole("checkbox", { name });
  await user.click(box("Select Lesson w"));
  await user.keyboard("{Shift>}");
  await user.click(box("Select Lesson b"));
  await user.keyboard("{/Shift}");
  expect(screen.getByText("3 lessons selected")).toBeDefined();
  expect(box("Select all of Basics").indeterminate).toBe(true);
  await user.click(box("Select all of Basics"));
  expect(screen.getByText("4 lessons selected")).toBeDefined();
  await user.click(box("Select all of Basics"));
  expect(screen.getByText("1 lesson selected")).toBeDefined();
});

test("the package of several lessons is changed once one is chosen", async () => {
  updateSelected.mockResolvedValue({ ids: [] });
  const user = await open();
  await user.click(screen.getByRole("checkbox", { name: "Select all of Basics" }));
  await user.click(button("Change package"));
  await user.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Change package" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Please choose a package.");
  await user.selectOptions(screen.getByLabelText("Package"), "Free preview: every verified student");
  await user.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Change package" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(updateSelected).toHaveBeenCalledExactlyOnceWith({ ids: ["a", "b", "c"], changes: { package_type: "both" } });
});

test("deleting several lessons asks once, with their number and titles", async () => {
  removeSelected.mockResolvedValue({ ids: [] });
  const user = await open();
  await user.click(screen.getByRole("checkbox", { name: "Select Lesson a" }));
  await user.click(screen.getByRole("checkbox", { name: "Select Lesson w" }));
  await user.click(within(screen.getByRole("region", { name: "Selected lessons" })).getByRole("button", { name: "Delete" }));
  const dialog = screen.getByRole("alertdialog");
  expect(dialog.textContent).toContain("Are you sure you want to delete these 2 videos?");
  expect(dialog.textContent).toContain("Lesson wLesson a");
  has(course[1]!, course[2]!);
  await user.click(within(dialog).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(removeSelected).toHaveBeenCalledExactlyOnceWith({ ids: ["w", "a"] }));
  await waitFor(() => expect(lessons()).toEqual(["b", "c"]));
  expect(screen.queryByRole("region", { name: "Selected lessons" })).toBeNull();
});

// PATH-5
test("displays how a lesson is watched, and where people stop as a table", async () => {
  const user = await open();
  expect(await screen.findByText("5 started, 1 done")).toBeDefined();
  expect(screen.getAllByText("Not begun yet")).toHaveLength(3);
  await user.click(screen.getByText("Where people stop"));
  const table = screen.getByRole("table", { name: "How far those came in Lesson a who are not done" });
  const rows = within(table).getAllByRole("row").slice(1);
  const cells = rows.map((row) => [within(row).getByRole("rowheader").textContent, within(row).getByRole("cell").textContent]);
  expect(cells).toHaveLength(10);
  expect([cells[0], cells[5], cells[9]]).toEqual([
    ["0–10%", "3"],
    ["50–60%", "1"],
    ["90–100%", "0"],
  ]);
});
