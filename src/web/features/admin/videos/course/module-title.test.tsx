// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Video } from "#domain/api/course/videos";
import { ProductError } from "#domain/errors/messages";
import { show } from "../../../../../../tests/support/render.tsx";
import { api } from "../../../../platform/api.ts";
import { queryClient } from "../../../../platform/query/query-client.ts";
import { CourseList } from "./course-list.tsx";

vi.mock("../../../../platform/api.ts", () => ({
  api: {
    statistics: { videos: () => Promise.resolve({ videos: [] }) },
    videos: { list: vi.fn<() => unknown>() },
    modules: { order: vi.fn<() => unknown>(), rename: vi.fn<() => unknown>() },
  },
}));
vi.spyOn(console, "error").mockImplementation(() => {});

const { order, rename } = vi.mocked(api.modules);
const video = (id: string, module: string, module_order: number): Video =>
  ({ id, title: `Lesson ${id}`, description: "", module, module_order, order_index: 1, package_type: "both" }) as Video;
/** The list then has the first module under this name. */
const has = (name: string) =>
  vi.mocked(api.videos.list).mockResolvedValue({ items: [video("w", name, 1), video("a", "Basics", 2)], next_cursor: null });
beforeEach(() => {
  for (const call of [order, rename]) call.mockReset();
  order.mockResolvedValue({ modules: [] });
  has("Waves");
});

const open = async () => {
  const { user } = show(<CourseList onEdit={() => {}} onRemove={() => {}} onRemoved={() => {}} />);
  await screen.findByRole("heading", { name: "Lesson w" });
  return user;
};
const button = (name: string): HTMLElement => screen.getByRole("button", { name });

// VIDEOS-2
test("a renamed module keeps the focus when the list has its name before the reply", async () => {
  let answer = (): void => {};
  rename.mockImplementationOnce(() => new Promise((resolve) => (answer = () => resolve({ name: "Tides" }))));
  const user = await open();
  await user.click(button("Waves"));
  await user.keyboard("Tides{Enter}");
  has("Tides");
  await queryClient.invalidateQueries();
  await screen.findByRole("button", { name: "Lessons of Tides" });
  answer();
  await waitFor(() => expect(document.activeElement).toBe(button("Tides")));
});

// VIDEOS-2
test("the name of another module asks whether to merge the two", async () => {
  rename.mockRejectedValueOnce(new ProductError("module_exists")).mockResolvedValueOnce({ name: "Basics" });
  const user = await open();
  await user.click(button("Waves"));
  await user.keyboard("Basics{Enter}");
  await user.click(await screen.findByRole("button", { name: "Merge" }));
  await waitFor(() => expect(rename).toHaveBeenCalledTimes(2));
  expect(rename.mock.calls.map(([{ body }]) => body)).toEqual([{ name: "Basics" }, { name: "Basics", merge: true }]);
});

test("without the merge the name stays in the field, with the reason", async () => {
  rename.mockRejectedValue(new ProductError("module_exists"));
  const user = await open();
  await user.click(button("Waves"));
  await user.keyboard("Basics{Enter}");
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Another module has this name.");
  expect(rename).toHaveBeenCalledTimes(1);
});

// VIDEOS-2
test("another name after a merge that was cancelled keeps the modules apart", async () => {
  rename.mockRejectedValueOnce(new ProductError("module_exists")).mockResolvedValueOnce({ name: "Tides" });
  const user = await open();
  const basics = button("Basics");
  await user.click(button("Waves"));
  await user.keyboard("Basics{Enter}");
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  await screen.findByRole("alert");
  has("Tides");
  await user.clear(screen.getByRole("textbox"));
  await user.keyboard("Tides{Enter}");
  await waitFor(() => expect(document.activeElement).toBe(button("Tides")));
  expect(button("Basics")).toBe(basics);
  await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
  await waitFor(() => expect(order.mock.lastCall).toEqual([{ modules: ["Basics", "Tides"], before: ["Tides", "Basics"] }]));
});
