// @vitest-environment happy-dom
import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ProductError } from "#domain/errors/messages";
import { refusalOf } from "./find-source.ts";
import { useLostConnection } from "./use-lost-connection.ts";

vi.mock("./find-source.ts", () => ({ refusalOf: vi.fn<() => unknown>() }));
const refusal = vi.mocked(refusalOf);
const goOn = vi.fn<() => Promise<void>>();

beforeEach(() => {
  vi.useFakeTimers();
  refusal.mockReset().mockRejectedValue(new ProductError("offline"));
  goOn.mockReset().mockResolvedValue();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});
const video = document.createElement("video");
const follow = () =>
  renderHook((isLacking: boolean) => useLostConnection(video, "/film", isLacking, goOn), { initialProps: true });

/** WATCH-5. */
test("a film that lacks bytes for five seconds looks for a server out of reach", async () => {
  follow();
  await vi.advanceTimersByTimeAsync(4900);
  expect(refusal).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(goOn).toHaveBeenCalledTimes(1);
});

test("a film whose link has ended unnoticed goes on from another", async () => {
  refusal.mockResolvedValue(new ProductError("link_invalid"));
  follow();
  await vi.advanceTimersByTimeAsync(5000);
  expect(goOn).toHaveBeenCalledTimes(1);
});

test("a film whose link is served is left alone, until that is lost too", async () => {
  refusal.mockResolvedValue(undefined);
  follow();
  await vi.advanceTimersByTimeAsync(58_000);
  expect(goOn).not.toHaveBeenCalled();
  refusal.mockRejectedValueOnce(new ProductError("offline"));
  await vi.advanceTimersByTimeAsync(5000);
  expect(goOn).toHaveBeenCalledTimes(1);
});

test("a film whose bytes come slowly is left alone, whatever the server replies", async () => {
  follow();
  for (let second = 0; second < 60; second += 1) {
    await vi.advanceTimersByTimeAsync(1000);
    video.dispatchEvent(new Event("progress"));
  }
  expect([refusal.mock.calls.length, goOn.mock.calls.length]).toEqual([0, 0]);
});

test("a film whose bytes come while the server is asked is left alone", async () => {
  let fail = (): void => {};
  refusal.mockReturnValue(new Promise((_, reject) => (fail = () => reject(new ProductError("offline")))));
  const { rerender } = follow();
  await vi.advanceTimersByTimeAsync(5000);
  rerender(false);
  fail();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(goOn).not.toHaveBeenCalled();
});
