// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Video } from "#domain/api/course/videos";
import { show } from "../../../../tests/support/render.tsx";
import { api } from "../../platform/api.ts";
import { LessonDetails } from "./lesson-details.tsx";

vi.mock("../../platform/api.ts", () => ({ api: { videos: { saveProgress: vi.fn<() => unknown>() } } }));
const saveProgress = vi.mocked(api.videos.saveProgress);
beforeEach(() => void saveProgress.mockReset().mockResolvedValue({ position_seconds: 30, done: true }));

const lesson = (changes: Partial<Video> = {}): Video =>
  ({
    id: "1",
    title: "Pips",
    description: "What it shows.",
    module: "Forex Basics",
    playable: true,
    duration_seconds: 60,
    progress: { position_seconds: 30, done: false, watched_at: "2026-11-22T00:00:00.000Z" },
    attachments: [],
    ...changes,
  }) as Video;
const details = (changes: Partial<Video>, resumedAt = 0, video: HTMLVideoElement | null = null) =>
  show(<LessonDetails lesson={lesson(changes)} number={1} video={video} resumedAt={resumedAt} />);

/** WATCH-2, WATCH-3, WATCH-4. */
test("a lesson is marked as done where its viewer is, also before its film is there", async () => {
  const { user } = details({});
  await user.click(screen.getByRole("button", { name: "Mark as done" }));
  const body = { position_seconds: 30, duration_seconds: 60, done: true };
  expect(saveProgress.mock.calls).toEqual([[{ params: { id: "1" }, body }]]);
});

test.each([
  ["a film that is shorter by now is marked at its end", 20, { position_seconds: 20, duration_seconds: 20 }],
  ["a film of unknown length is marked without a position", null, { position_seconds: 0, duration_seconds: 0 }],
])("%s", async (_what, duration_seconds, position) => {
  const { user } = details({ duration_seconds });
  await user.click(screen.getByRole("button", { name: "Mark as done" }));
  expect(saveProgress.mock.calls[0]?.[0].body).toEqual({ ...position, done: true });
});

test("a lesson that is done can be marked as not done, and a locked one not at all", async () => {
  const { user, rerender } = details({
    progress: { position_seconds: 60, done: true, watched_at: "2026-11-22T00:00:00.000Z" },
  });
  await user.click(screen.getByRole("button", { name: "Mark as not done" }));
  expect(saveProgress.mock.calls[0]?.[0].body.done).toBe(false);
  rerender(<LessonDetails lesson={lesson({ playable: false })} number={1} video={null} resumedAt={0} />);
  expect(screen.queryByRole("button")).toBeNull();
});

test("a film that went on where it was left can start over, once", async () => {
  const video = document.createElement("video");
  Object.defineProperty(video, "currentTime", { value: 300, writable: true });
  const { user } = details({}, 300, video);
  expect(screen.getByText("5:00")).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Start over" }));
  expect(video.currentTime).toBe(0);
  expect(screen.queryByRole("button", { name: "Start over" })).toBeNull();
});

test("a lesson with files offers them for download", () => {
  const attachment = { id: "a", filename: "plan.pdf", size_bytes: 2048, content_type: "application/pdf" };
  const { unmount } = details({ attachments: [attachment] });
  expect(screen.getByRole("heading", { name: "Downloads" })).toBeDefined();
  expect(screen.getByRole("button", { name: /plan\.pdf/ })).toBeDefined();
  unmount();
  details({});
  expect(screen.queryByRole("heading", { name: "Downloads" })).toBeNull();
});
