// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Video } from "#domain/api/videos";
import { show } from "../../../../../tests/support/render.tsx";
import { api } from "../../../platform/api.ts";
import { ModuleList } from "./module-list.tsx";

const statisticsOfA = vi.hoisted(() => ({
  video_id: "a",
  started: 5,
  done: 1,
  stopped: [3, 0, 0, 0, 0, 1, 0, 0, 0, 0],
}));
vi.mock("../../../platform/api.ts", () => ({
  api: {
    statistics: { videos: () => Promise.resolve({ videos: [statisticsOfA] }) },
    modules: { order: vi.fn<() => unknown>(), orderVideos: vi.fn<() => unknown>() },
  },
}));
const { order, orderVideos } = vi.mocked(api.modules);
beforeEach(() => {
  order.mockReset().mockResolvedValue({ modules: [] });
  orderVideos.mockReset().mockResolvedValue({ ids: [] });
});

const video = (id: string, module: string, module_order: number | null = null): Video =>
  ({ id, title: `Lesson ${id}`, description: "", module, module_order, order_index: 1, package_type: "both" }) as Video;
const list = (...videos: Video[]) => <ModuleList videos={videos} onEdit={() => {}} onRemove={() => {}} />;
const course = [video("a", "Basics"), video("b", "Basics"), video("c", "Basics"), video("w", "Waves", 1)];

// PATH-1
test("the buttons of a module send the whole order of modules", async () => {
  const { user } = show(list(...course));
  expect(screen.getAllByRole("heading").map(({ textContent }) => textContent)).toEqual(["Waves", "Basics"]);
  await user.click(screen.getByRole("button", { name: "Move module Basics up" }));
  await waitFor(() => expect(order.mock.lastCall).toEqual([{ modules: ["Basics", "Waves"] }]));
  expect(await screen.findByText("Basics is now number 1 of 2.")).toBeDefined();
});

test("the buttons of a lesson send the whole order of its module", async () => {
  const { user } = show(list(...course));
  await user.click(screen.getByRole("button", { name: "Move Lesson a down" }));
  const wanted = { params: { module: "Basics" }, body: { ids: ["b", "a", "c"] } };
  await waitFor(() => expect(orderVideos.mock.lastCall).toEqual([wanted]));
  await waitFor(() => expect(screen.getByText("Lesson a is now number 2 of 3.")).toBeDefined());
});

test("a button at the end of its list does nothing, and keeps the focus", async () => {
  const { user } = show(list(...course));
  const [first, last] = ["Move Lesson a up", "Move Lesson c down"].map((name) => screen.getByRole("button", { name }));
  for (const button of [first!, last!]) {
    expect(button.getAttribute("aria-disabled")).toBe("true");
    await user.click(button);
    expect(document.activeElement).toBe(button);
  }
  expect(orderVideos).not.toHaveBeenCalled();
});

test("the pressed button keeps the focus where its lesson stands then", async () => {
  const { user, rerender } = show(list(...course));
  const button = screen.getByRole("button", { name: "Move Lesson a down" });
  await user.click(button);
  await waitFor(() => expect(screen.getByText("Lesson a is now number 2 of 3.")).toBeDefined());
  rerender(list(course[1]!, course[0]!, course[2]!, course[3]!));
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Move Lesson a down" }));
});

// PATH-5
test("displays how a lesson is watched, and where people stop as a table", async () => {
  const { user } = show(list(...course));
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
