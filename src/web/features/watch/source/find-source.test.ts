// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ProductError } from "#domain/errors/messages";
import { api } from "../../../platform/api.ts";
import { findSource, type Source } from "./find-source.ts";

vi.mock("../../../platform/api.ts", () => ({ api: { videos: { play: vi.fn<() => unknown>() } } }));
vi.mock("../../../platform/auth-client.ts", () => ({ accessToken: () => Promise.resolve("token") }));
// The waits between attempts end at once.
vi.mock("../../../platform/timing/pause.ts", () => ({ pause: () => Promise.resolve() }));
const play = vi.mocked(api.videos.play);
const ask = vi.fn<typeof fetch>();
const onWaiting = vi.fn<() => void>();

const path = "/storage/v1/object/sign/course-videos/film.mp4?token=new";
const reply = { url: `https://course.example${path}`, expires_at: "2026-11-22T12:00:00.000Z", watermark: null, progress: null };
const before: Source = { ...reply, url: "/storage/v1/object/sign/course-videos/film.mp4?token=old" };
const found = { ...reply, url: path };
const find = (from?: Source, signal = new AbortController().signal): Promise<Source> =>
  findSource("1", { before: from, onWaiting, signal });
const refused = (status: number, code: string): Response => Response.json({ error: "Text", code }, { status });

beforeEach(() => {
  play.mockReset().mockResolvedValue(reply);
  ask.mockReset();
  onWaiting.mockReset();
  vi.stubGlobal("fetch", ask);
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** WATCH-5, WATCH-6. */
test("a link of the site is returned as a path, for any address of the page", async () => {
  await expect(find()).resolves.toEqual(found);
  expect(ask).not.toHaveBeenCalled();
  play.mockResolvedValue({ ...reply, url: "https://films.example/1" });
  expect((await find()).url).toBe("https://films.example/1");
});

test("a source whose link is accepted stays", async () => {
  ask.mockResolvedValue(new Response("a", { status: 206 }));
  await expect(find(before)).resolves.toBe(before);
  expect(play).not.toHaveBeenCalled();
});

/** FILE-19. */
test("a source whose link leads to a store stays, and the store is not asked", async () => {
  // The browser's own reply to a redirect that it does not follow; no constructor makes one.
  const redirect = Object.defineProperties(Response.error(), { type: { value: "opaqueredirect" } });
  ask.mockResolvedValue(redirect);
  await expect(find(before)).resolves.toBe(before);
  expect(ask).toHaveBeenCalledWith(before.url, expect.objectContaining({ redirect: "manual" }));
});

test.each([
  [403, "link_invalid"],
  // The film was replaced, or its lesson is gone.
  [404, "not_found"],
])("a link refused with %d %s is renewed", async (status, code) => {
  ask.mockResolvedValue(refused(status, code));
  await expect(find(before)).resolves.toEqual(found);
});

test.each([
  [403, "video_locked"],
  [403, "playing_elsewhere"],
  [403, "not_allowed"],
  [500, "file_damaged"],
])("a link refused with %d %s ends the film without asking to play again", async (status, code) => {
  ask.mockResolvedValue(refused(status, code));
  await expect(find(before)).rejects.toMatchObject({ code });
  expect(play).not.toHaveBeenCalled();
});

test("a server that is away is waited for, at the link and at the call", async () => {
  ask.mockRejectedValueOnce(new TypeError("Failed to fetch")).mockResolvedValueOnce(refused(503, "unavailable"));
  ask.mockImplementation(() => Promise.resolve(refused(403, "link_invalid")));
  play.mockRejectedValueOnce(new ProductError("offline"));
  await expect(find(before)).resolves.toEqual(found);
  expect(onWaiting).toHaveBeenCalledTimes(3);
});

test("a server that does not reply within ten seconds is waited for", async () => {
  vi.useFakeTimers();
  ask.mockImplementationOnce(
    (_, init) =>
      // Safari rejects so whatever the reason is.
      new Promise((_resolve, reject) =>
        init!.signal!.addEventListener("abort", () => reject(new DOMException("Fetch is aborted", "AbortError"))),
      ),
  );
  ask.mockResolvedValue(new Response("a", { status: 206 }));
  const searching = find(before);
  await vi.advanceTimersByTimeAsync(9900);
  expect(onWaiting).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  vi.useRealTimers();
  await expect(searching).resolves.toBe(before);
  expect(onWaiting).toHaveBeenCalledTimes(1);
});

test("the reason why a film may not be played is thrown at once", async () => {
  play.mockRejectedValue(new ProductError("video_locked"));
  await expect(find()).rejects.toMatchObject({ code: "video_locked" });
  expect(onWaiting).not.toHaveBeenCalled();
});

test("a search that is aborted ends", async () => {
  const left = new AbortController();
  play.mockImplementation(() => {
    left.abort();
    return Promise.reject(new ProductError("offline"));
  });
  await expect(find(undefined, left.signal)).rejects.toThrow(/abort/i);
  expect(play).toHaveBeenCalledTimes(1);
});
