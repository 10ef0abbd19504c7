// @vitest-environment happy-dom
import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ProductError } from "#domain/errors/messages";
import { queryClient } from "../../../platform/query/query-client.ts";
import { findSource, refusalOf, type Source } from "./find-source.ts";
import { useFilmSource } from "./use-film-source.ts";

vi.mock("./find-source.ts", () => ({ findSource: vi.fn<() => unknown>(), refusalOf: vi.fn<() => unknown>() }));
const find = vi.mocked(findSource);
const refusal = vi.mocked(refusalOf);

const sourceOf = (name: string): Source => ({
  url: `/storage/v1/object/sign/course-videos/${name}.mp4?token=t`,
  expires_at: "2026-11-22T12:00:00.000Z",
  watermark: null,
  progress: null,
});

beforeEach(() => {
  find.mockReset().mockResolvedValue(sourceOf("a"));
  refusal.mockReset().mockResolvedValue(undefined);
});
afterEach(() => {
  cleanup();
  queryClient.clear();
});

const wrapper = ({ children }: { children: ReactNode }): ReactNode => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
);
async function follow({ isPlaying = true } = {}) {
  const { result } = renderHook(() => useFilmSource("1", isPlaying), { wrapper });
  await waitFor(() => expect(result.current.source?.url).toContain("a.mp4"));
  return result;
}
/** The server says that something has changed. */
const change = (): Promise<void> => act(() => queryClient.invalidateQueries({ queryKey: ["film-refusal"] }));

/** WATCH-5, FILE-19. */
describe("a link of 15 minutes", () => {
  const pass = (minutes: number): Promise<unknown> => act(() => vi.advanceTimersByTimeAsync(minutes * 60_000));
  async function followLink(isPlaying: boolean, minutes = 15) {
    find.mockImplementation(() =>
      Promise.resolve({ ...sourceOf("a"), expires_at: new Date(Date.now() + minutes * 60_000).toJSON() }),
    );
    const { rerender } = renderHook((plays: boolean) => useFilmSource("1", plays), { initialProps: isPlaying, wrapper });
    await pass(0);
    return rerender;
  }
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("is renewed two minutes before its end while its film plays", async () => {
    await followLink(true);
    await pass(12.9);
    expect(find).toHaveBeenCalledTimes(1);
    await pass(0.2);
    expect(find).toHaveBeenCalledTimes(2);
    await pass(13);
    expect(find).toHaveBeenCalledTimes(3);
  });

  test("is renewed once its film plays on after a pause at that time", async () => {
    const setPlaying = await followLink(true);
    await pass(12.5);
    setPlaying(false);
    await pass(1);
    expect(find).toHaveBeenCalledTimes(1);
    setPlaying(true);
    await pass(0);
    expect(find).toHaveBeenCalledTimes(2);
  });

  test("is not renewed again and again under a clock that is far ahead", async () => {
    const setPlaying = await followLink(true, -60);
    setPlaying(false);
    setPlaying(true);
    await pass(60);
    expect(find).toHaveBeenCalledTimes(1);
  });
});

/** WATCH-5. */
test("a film that was replaced goes on from the new one", async () => {
  const film = await follow();
  find.mockResolvedValue(sourceOf("b"));
  refusal.mockImplementation((url) => Promise.resolve(url.includes("a.mp4") ? new ProductError("not_found") : undefined));
  await change();
  await waitFor(() => expect(film.current.source?.url).toContain("b.mp4"));
  expect(film.current.error).toBeUndefined();
});

/** DEVICE-1. */
test("a paused film that was replaced takes no place from a device that plays", async () => {
  const film = await follow({ isPlaying: false });
  refusal.mockResolvedValue(new ProductError("not_found"));
  await change();
  await waitFor(() => expect(refusal).toHaveBeenCalled());
  await act(async () => {});
  expect(find).toHaveBeenCalledTimes(1);
  expect(film.current.error).toBeUndefined();
});

/** WATCH-6. */
test("a lesson that was deleted stops with its reason", async () => {
  const film = await follow();
  find.mockRejectedValue(new ProductError("video_not_found"));
  refusal.mockResolvedValue(new ProductError("not_found"));
  await change();
  await waitFor(() => expect(film.current.error?.code).toBe("video_not_found"));
  expect(find).toHaveBeenCalledTimes(2);
});

test("a package that was taken away stops the film without asking to play", async () => {
  const film = await follow();
  refusal.mockResolvedValue(new ProductError("video_locked"));
  await change();
  await waitFor(() => expect(film.current.error?.code).toBe("video_locked"));
  expect(find).toHaveBeenCalledTimes(1);
});
