// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Video } from "#domain/api/course/videos";
import { pathOf } from "#domain/watch/path";
import { show } from "../../../../tests/support/render.tsx";
import { LessonList } from "./lesson-list.tsx";

const lesson = (id: string, playable: boolean): Video =>
  ({
    id,
    title: `Lesson ${id}`,
    module: "Forex Basics",
    module_order: 1,
    playable,
    progress: null,
    duration_seconds: 60,
  }) as Video;

test.each(["open", "locked"])("the list marks the lesson of the page where it is %s", (current) => {
  const path = pathOf([lesson("open", true), lesson("locked", false)]);
  show(<LessonList path={path} currentId={current} />);
  const marked = screen.getAllByRole("listitem").filter((item) => item.querySelector("[aria-current=page]"));
  expect(marked.map(({ textContent }) => textContent)).toEqual([expect.stringContaining(`Lesson ${current}`)]);
});
