// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Video } from "#domain/api/course/videos";
import { playabilities } from "#domain/film";
import { show } from "../../../../../../tests/support/render.tsx";
import { UploadedFilm } from "./uploaded-film.tsx";

const showFilm = (film: Pick<Video, "duration_seconds" | "playability">): string => {
  const { unmount } = show(<UploadedFilm video={film as Video} />);
  const text = screen.getByRole("status").parentElement?.textContent ?? "";
  unmount();
  return text;
};

// VIDEO-7
test("displays only the length of a film that plays", () => {
  expect(showFilm({ duration_seconds: 754, playability: "plays" })).toBe("Uploaded file, 13 min");
});

test("says what to do about every film that does not play at once", () => {
  for (const playability of playabilities.filter((one) => one !== "plays")) {
    expect(showFilm({ duration_seconds: null, playability })).toMatch(/^Uploaded file\S.* Export it /);
  }
  expect(showFilm({ duration_seconds: 60, playability: "video_codec" })).toContain("H.264 with AAC audio in an MP4");
});

test("says what to do about a film that plays and does not state its length", () => {
  const text = showFilm({ duration_seconds: null, playability: "plays" });
  expect(text).toContain("does not go on where students left it");
  expect(text).toContain("H.264 with AAC audio in an MP4");
});

test("says that a film is being prepared", () => {
  expect(showFilm({ duration_seconds: null, playability: null })).toBe("Uploaded fileBeing prepared…");
});
