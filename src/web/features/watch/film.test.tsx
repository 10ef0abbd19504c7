// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import type { Video } from "#domain/api/course/videos";
import { ProductError } from "#domain/errors/messages";
import { show } from "../../../../tests/support/render.tsx";
import { Film } from "./film.tsx";
import { useFilmSource } from "./source/use-film-source.ts";

vi.mock("../../platform/api.ts", () => ({ api: {} }));
vi.mock("./source/use-film-source.ts", () => ({ useFilmSource: vi.fn<() => unknown>() }));

function showStopped(isWaiting: boolean): HTMLButtonElement {
  const error = new ProductError("playing_elsewhere");
  const [recover, restart] = [vi.fn<() => Promise<undefined>>(), vi.fn<() => Promise<undefined>>()];
  vi.mocked(useFilmSource).mockReturnValue({ source: undefined, error, isWaiting, recover, restart });
  const stage = document.createElement("div");
  show(<Film id="1" lesson={undefined} listedAt={0} stage={stage} onFilm={() => {}} next={undefined} onNext={() => {}} />);
  return screen.getByRole("button", { name: "Watch here" });
}

/** WATCH-5. */
test("a stopped film that is tried again says that it waits for the connection", () => {
  expect(showStopped(true).disabled).toBe(true);
  expect(screen.getByText("Waiting for the connection…")).toBeDefined();
});

test("a stopped film can be tried again", () => {
  expect(showStopped(false).disabled).toBe(false);
  expect(screen.queryByText("Waiting for the connection…")).toBeNull();
});

// WATCH-6
test("a package that is back before its lessons were seen locked plays again", () => {
  const error = new ProductError("video_locked");
  const [recover, restart] = [vi.fn<() => Promise<undefined>>(), vi.fn<() => Promise<undefined>>()];
  vi.mocked(useFilmSource).mockReturnValue({ source: undefined, error, isWaiting: false, recover, restart });
  const stage = document.createElement("div");
  const lesson = { package_type: "starter", playable: true } as Video;
  const film = (listedAt: number): ReactNode => (
    <Film id="1" lesson={lesson} listedAt={listedAt} stage={stage} onFilm={() => {}} next={undefined} onNext={() => {}} />
  );
  const shown = show(film(1));
  expect(restart).toHaveBeenCalledTimes(1);
  shown.rerender(film(2));
  expect(restart).toHaveBeenCalledTimes(2);
});
