// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Video } from "#domain/api/course/videos";
import { show } from "../../../../tests/support/render.tsx";
import { Ended } from "./ended.tsx";

const next = { title: "Lots" } as Video;
const page = (hasEnded: boolean, following: Video | undefined) => (
  <>
    <div data-stage="">
      {hasEnded ? <Ended video={null} next={following} onNext={() => {}} /> : <button type="button">Pause</button>}
    </div>
    <input aria-label="Note" />
  </>
);

/** WATCH-4, KEYS-2. */
test.each([
  ["the next lesson", next, /^Go on/],
  ["watching again after the last one", undefined, /^Watch again/],
])("the end of a film moves the focus from a control to %s", (_what, following, name) => {
  const { rerender } = show(page(false, following));
  screen.getByRole("button", { name: "Pause" }).focus();
  rerender(page(true, following));
  expect(document.activeElement).toBe(screen.getByRole("button", { name }));
});

test("the end of a film leaves the focus where it is elsewhere on the page", () => {
  const { rerender } = show(page(false, next));
  screen.getByLabelText("Note").focus();
  rerender(page(true, next));
  expect(document.activeElement).toBe(screen.getByLabelText("Note"));
});
