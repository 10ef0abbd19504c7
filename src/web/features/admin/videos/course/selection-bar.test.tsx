// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Video } from "#domain/api/course/videos";
import { show } from "../../../../../../tests/support/render.tsx";
import { SelectionBar } from "./selection-bar.tsx";

vi.mock("../../../../platform/api.ts", () => ({ api: {} }));

const course = [{ name: "Basics", videos: ["a", "b"].map((id) => ({ id, title: `Lesson ${id}` }) as Video) }];
const selected = (...ids: string[]) => {
  const selection = { ids, has: () => false, toggle: () => {}, setAll: () => {}, clear: () => {} };
  return <SelectionBar course={course} selection={selection} onRemoved={() => {}} />;
};

// VIDEOS-3
test.each(["Delete", "Change package", "Change module"])(
  "%s: a question about lessons that others delete does not come back",
  async (name) => {
    const { user, rerender } = show(selected("a"));
    await user.click(screen.getByRole("button", { name }));
    expect(screen.getByRole("alertdialog")).toBeDefined();
    rerender(selected());
    expect(screen.queryByRole("alertdialog")).toBeNull();
    rerender(selected("b"));
    expect(screen.getByText("1 lesson selected")).toBeDefined();
    expect(screen.queryByRole("alertdialog")).toBeNull();
  },
);
