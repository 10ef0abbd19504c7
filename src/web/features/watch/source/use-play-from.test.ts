// @vitest-environment happy-dom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ProductError } from "#domain/errors/messages";
import type { Source } from "./find-source.ts";
import { usePlayFrom } from "./use-play-from.ts";

vi.mock("./find-source.ts", () => ({ refusalOf: () => Promise.reject(new Error("offline")) }));

const sourceOf = (token: string, progress: Source["progress"] = null): Source => ({
  url: `/storage/v1/object/sign/course-videos/film.mp4?token=${token}`,
  expires_at: "2026-11-22T12:00:00.000Z",
  watermark: null,
  progress,
});
const recover = vi.fn<() => Promise<Source | undefined>>();
const restart = vi.fn<() => Promise<Source | undefined>>();
const play = vi.fn<() => Promise<void>>();
let film: { paused: boolean; readyState: number; error: object | null; duration: number };
let video: HTMLVideoElement;

beforeEach(() => {
  recover.mockReset();
  restart.mockReset();
  play.mockReset().mockResolvedValue();
  film = { paused: false, readyState: 4, error: null, duration: 3600 };
  video = Object.assign(document.createElement("video"), { play });
  Object.defineProperty(video, "currentTime", { value: 0, writable: true });
  for (const name of ["paused", "readyState", "error", "duration"] as const)
    Object.defineProperty(video, name, { get: () => film[name] });
  document.body.append(video);
});
afterEach(() => {
  cleanup();
  video.remove();
});

const follow = (source: Source, error?: ProductError) =>
  renderHook((newest: Source) => usePlayFrom(video, { source: newest, error, isWaiting: false, recover, restart }), {
    initialProps: source,
  });
const happens = (event: string): Promise<void> =>
  act(async () => {
    if (event === "error") film.error = {};
    video.dispatchEvent(new Event(event));
    await Promise.resolve();
  });
const token = (): string => video.src.replace(/.*token=/, "");

/** WATCH-3, WATCH-5. */
test("a film goes on where it was left, and plays", () => {
  const { result } = follow(sourceOf("a", { position_seconds: 300, done: false }));
  expect([token(), video.currentTime, play.mock.calls.length]).toEqual(["a", 300, 1]);
  expect(result.current.resumedAt).toBe(300);
});

test("a film at an outside address is not loaded", () => {
  follow({ ...sourceOf("a"), url: "https://films.example/1" });
  expect(video.hasAttribute("src")).toBe(false);
});

test("a renewed source takes over at the next seek, at its position", async () => {
  const { rerender } = follow(sourceOf("a"));
  rerender(sourceOf("b"));
  expect(token()).toBe("a");
  video.currentTime = 77;
  await happens("seeking");
  expect([token(), video.currentTime]).toEqual(["b", 77]);
  await happens("seeking");
  expect(play).toHaveBeenCalledTimes(2);
});

test("a film whose source fails goes on from another one at its position", async () => {
  follow(sourceOf("a"));
  video.currentTime = 50;
  await happens("timeupdate");
  recover.mockResolvedValue(sourceOf("b"));
  await happens("error");
  expect([token(), video.currentTime, play.mock.calls.length]).toEqual(["b", 50, 2]);
});

test.each([
  ["failed", { error: {} }],
  ["lacks bytes", { readyState: 2 }],
])("a film that %s goes on at once from a source that another call found", async (_, state) => {
  const { rerender } = follow(sourceOf("a"));
  video.currentTime = 50;
  await happens("timeupdate");
  Object.assign(film, state);
  rerender(sourceOf("b"));
  expect([token(), video.currentTime, play.mock.calls.length]).toEqual(["b", 50, 2]);
});

test("a film that was paused when its source failed stays paused", async () => {
  follow(sourceOf("a"));
  film.paused = true;
  recover.mockResolvedValue(sourceOf("b"));
  await happens("error");
  expect([token(), play.mock.calls.length]).toEqual(["b", 1]);
});

test.each([
  ["goes on at its position where it has it", 2400, 2400],
  ["begins anew where it is too short", 1800, 0],
])("a film that replaced another %s", async (_, duration, expected) => {
  const { rerender } = follow(sourceOf("a"));
  rerender({ ...sourceOf("b"), url: sourceOf("b").url.replace("film.mp4", "other.mp4") });
  video.currentTime = 2400;
  await happens("seeking");
  film.duration = duration;
  await happens("loadedmetadata");
  expect([token(), video.currentTime]).toEqual(["b", expected]);
});

/** Browsers follow with `timeupdate` once the bytes of a jump are there. */
test("a jump that fails for want of bytes goes on where it led", async () => {
  follow(sourceOf("a"));
  video.currentTime = 50;
  await happens("timeupdate");
  video.currentTime = 2400;
  await happens("seeking");
  recover.mockResolvedValue(sourceOf("b"));
  await happens("error");
  expect([token(), video.currentTime]).toEqual(["b", 2400]);
});

test("a film goes on as its viewer left it while it waited for its source", async () => {
  follow(sourceOf("a"));
  recover.mockImplementation(() => {
    film.paused = !film.paused;
    return Promise.resolve(sourceOf("b"));
  });
  await happens("error");
  expect(play).toHaveBeenCalledTimes(1);
  await happens("error");
  expect(play).toHaveBeenCalledTimes(2);
});

test("a film that fails four times at one place is broken until it is tried again", async () => {
  const { result } = follow(sourceOf("a"));
  recover.mockResolvedValue(sourceOf("a"));
  for (let failure = 1; failure <= 4; failure += 1) {
    expect(result.current.isBroken).toBe(false);
    await happens("error");
  }
  expect(result.current.isBroken).toBe(true);
  expect(recover).toHaveBeenCalledTimes(3);
  act(() => result.current.tryAgain());
  expect([result.current.isBroken, restart.mock.calls.length]).toEqual([false, 1]);
});

/** WATCH-3, DEVICE-1. */
test.each([
  ["where another device left it", "playing_elsewhere", 2400, 2400],
  ["where it was, where no other device has a place", "playing_elsewhere", 0, 300],
  ["where it was, after another stop", "unexpected", 2400, 300],
] as const)("a film that was stopped is tried again %s", async (_, code, atServer, expected) => {
  const { result, rerender } = follow(sourceOf("a"), new ProductError(code));
  video.currentTime = 300;
  await happens("timeupdate");
  const found = sourceOf("b", { position_seconds: atServer, done: false });
  restart.mockResolvedValue(found);
  await act(async () => result.current.tryAgain());
  // The player is displayed again, with an element of its own.
  video.removeAttribute("src");
  rerender(found);
  expect([token(), video.currentTime]).toEqual(["b", expected]);
  expect(result.current.resumedAt).toBe(code === "playing_elsewhere" ? expected : 0);
});

test("failures at different places do not add up", async () => {
  const { result } = follow(sourceOf("a"));
  recover.mockResolvedValue(sourceOf("a"));
  for (let place = 0; place < 50; place += 10) {
    video.currentTime = place;
    await happens("timeupdate");
    await happens("error");
  }
  expect(result.current.isBroken).toBe(false);
});

test("a film whose connection is lost silently is loaded anew", async () => {
  vi.useFakeTimers();
  follow(sourceOf("a"));
  recover.mockResolvedValue(sourceOf("a"));
  film.readyState = 2;
  await happens("waiting");
  await act(() => vi.advanceTimersByTimeAsync(5000));
  vi.useRealTimers();
  expect([recover.mock.calls.length, play.mock.calls.length]).toEqual([1, 2]);
});

test("a film that has its bytes again before the server is found is not loaded anew", async () => {
  follow(sourceOf("a"));
  film.readyState = 2;
  recover.mockImplementation(() => {
    film.readyState = 4;
    return Promise.resolve(sourceOf("a"));
  });
  await act(async () => void globalThis.dispatchEvent(new Event("online")));
  expect([recover.mock.calls.length, play.mock.calls.length]).toEqual([1, 1]);
});

test("only a film that lacks bytes is loaded anew when the browser is online again", async () => {
  follow(sourceOf("a"));
  recover.mockResolvedValue(sourceOf("a"));
  await act(async () => void globalThis.dispatchEvent(new Event("online")));
  expect(recover).not.toHaveBeenCalled();
  film.readyState = 2;
  await act(async () => void globalThis.dispatchEvent(new Event("online")));
  expect(recover).toHaveBeenCalledTimes(1);
});

/** FILE-16. */
test("a film in fragments that fails twice goes on with its ordinary index", async () => {
  const inFragments = (name: string): Source => ({ ...sourceOf(name), url: `${sourceOf(name).url}&layout=fragments` });
  const { rerender } = follow(inFragments("a"));
  recover.mockResolvedValue(inFragments("b"));
  await happens("error");
  expect(token()).toBe("b&layout=fragments");
  await happens("error");
  rerender(inFragments("b"));
  await happens("seeking");
  expect(token()).toBe("b");
});

test("a film that goes on in its middle hides its first picture", async () => {
  follow(sourceOf("a", { position_seconds: 300, done: false }));
  await happens("loadedmetadata");
  expect(video.style.opacity).toBe("0");
  await happens("seeked");
  expect(video.style.opacity).toBe("");
});

test("a film that a skip took back to its beginning before it was there is visible", async () => {
  follow(sourceOf("a", { position_seconds: 7, done: false }));
  video.currentTime = 0;
  await happens("loadedmetadata");
  expect(video.style.opacity).toBe("");
});

test("a film that fails on the way to its middle is visible again", async () => {
  recover.mockResolvedValue(undefined);
  follow(sourceOf("a", { position_seconds: 300, done: false }));
  await happens("loadedmetadata");
  await happens("error");
  expect(video.style.opacity).toBe("");
});
