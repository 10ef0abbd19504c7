// @vitest-environment happy-dom
import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, sendOnLeave } from "../../platform/api.ts";
import { useSavedProgress } from "./use-saved-progress.ts";

vi.mock("../../platform/api.ts", () => ({
  api: { videos: { saveProgress: vi.fn<() => unknown>() } },
  sendOnLeave: vi.fn<() => Promise<boolean>>(),
}));
const saveProgress = vi.mocked(api.videos.saveProgress);
const leave = vi.mocked(sendOnLeave);
let film: { currentTime: number; duration: number; paused: boolean; played: { length: number } };
let video: HTMLVideoElement;

beforeEach(() => {
  vi.useFakeTimers();
  saveProgress.mockReset().mockResolvedValue({ position_seconds: 0, done: false });
  leave.mockReset().mockResolvedValue(true);
  film = { currentTime: 0, duration: 100, paused: true, played: { length: 0 } };
  video = Object.defineProperties(
    document.createElement("video"),
    Object.fromEntries(Object.keys(film).map((name) => [name, { get: () => film[name as keyof typeof film] }])),
  );
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** Something that happens to the film, and what follows from it. */
async function happens(event: string, changes: Partial<typeof film> = {}): Promise<void> {
  Object.assign(film, changes);
  video.dispatchEvent(new Event(event));
  await vi.advanceTimersByTimeAsync(0);
}
const saved = (): number[] => saveProgress.mock.calls.map(([{ body }]) => body.position_seconds);
const begin = { paused: false, played: { length: 1 } };

/** WATCH-1, WATCH-3. */
test("the position is saved at the start, every ten seconds, at pauses and the end", async () => {
  renderHook(() => useSavedProgress(video, "1"));
  await happens("playing", begin);
  film.currentTime = 10;
  await vi.advanceTimersByTimeAsync(10_000);
  await happens("pause", { currentTime: 14, paused: true });
  film.currentTime = 15;
  await vi.advanceTimersByTimeAsync(30_000);
  await happens("ended", { currentTime: 100 });
  expect(saved()).toEqual([0, 10, 14, 100]);
  expect(saveProgress.mock.calls[0]).toEqual([{ params: { id: "1" }, body: { position_seconds: 0, duration_seconds: 100 } }]);
});

test("saves a pause behind the save that is on its way", async () => {
  let answer = (): void => {};
  saveProgress.mockReturnValueOnce(new Promise((resolve) => (answer = () => resolve({ position_seconds: 0, done: false }))));
  renderHook(() => useSavedProgress(video, "1"));
  await happens("playing", begin);
  await happens("pause", { currentTime: 3, paused: true });
  await happens("pause", { currentTime: 4 });
  expect(saved()).toEqual([0]);
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(saved()).toEqual([0, 4]);
});

test("a film that was opened and not played, or has not moved, saves nothing", async () => {
  renderHook(() => useSavedProgress(video, "1"));
  await happens("pause", { currentTime: 30 });
  await happens("playing", begin);
  await happens("pause", { paused: true, currentTime: 30.2 });
  expect(saved()).toEqual([30]);
});

/** WATCH-3. */
test("a film without a length is begun, and has a position once it is read to its end", async () => {
  renderHook(() => useSavedProgress(video, "1"));
  await happens("playing", { ...begin, duration: Number.POSITIVE_INFINITY });
  film.currentTime = 10;
  await vi.advanceTimersByTimeAsync(10_000);
  await happens("pause", { paused: true });
  expect(saveProgress.mock.calls).toEqual([[{ params: { id: "1" }, body: { position_seconds: 0, duration_seconds: 0 } }]]);
  await happens("ended", { currentTime: 100, duration: 100 });
  expect(saved()).toEqual([0, 100]);
});

test("nothing is saved while another source loads", async () => {
  renderHook(() => useSavedProgress(video, "1"));
  await happens("pause", { ...begin, duration: Number.NaN });
  expect(saved()).toEqual([]);
});

test("a page that is hidden or left sends the position without waiting", async () => {
  renderHook(() => useSavedProgress(video, "1"));
  await happens("playing", begin);
  film.currentTime = 42;
  Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
  globalThis.dispatchEvent(new Event("pagehide"));
  Object.defineProperty(document, "visibilityState", { value: "visible", configurable: true });
  const position = { position_seconds: 42, duration_seconds: 100 };
  expect(leave.mock.calls).toEqual([["PUT", "/api/videos/1/progress", position]]);
});

test("a position that could not be sent while the page was hidden is saved later", async () => {
  leave.mockResolvedValue(false);
  renderHook(() => useSavedProgress(video, "1"));
  await happens("playing", begin);
  Object.assign(film, { currentTime: 42, paused: true });
  globalThis.dispatchEvent(new Event("pagehide"));
  await vi.advanceTimersByTimeAsync(0);
  globalThis.dispatchEvent(new Event("online"));
  expect(saved()).toEqual([0, 42]);
});

test("a position saved since the page was hidden stays the last one", async () => {
  let fail = (): void => {};
  leave.mockReturnValue(new Promise((resolve) => (fail = () => resolve(false))));
  renderHook(() => useSavedProgress(video, "1"));
  await happens("playing", begin);
  film.currentTime = 42;
  globalThis.dispatchEvent(new Event("pagehide"));
  await happens("pause", { currentTime: 50, paused: true });
  fail();
  await happens("pause");
  expect(saved()).toEqual([0, 50]);
});

test("the next save makes up for a failed one, and another lesson saves this one", async () => {
  const { unmount } = renderHook(() => useSavedProgress(video, "1"));
  saveProgress.mockRejectedValueOnce(new Error("offline"));
  await happens("playing", begin);
  globalThis.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  film.currentTime = 7;
  unmount();
  expect(saved()).toEqual([0, 0, 7]);
});
