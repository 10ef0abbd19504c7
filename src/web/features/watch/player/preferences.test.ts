// @vitest-environment happy-dom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { refuseStorage } from "../../../../../tests/support/refuse-storage.ts";
import { readPreferences, usePreferences } from "./preferences.ts";

/** WATCH-7. */
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  localStorage.clear();
});

test("speed, volume and language of the captions are kept for the next film", () => {
  const { result } = renderHook(usePreferences);
  act(() => result.current[1]({ rate: 1.5, captions: "th" }));
  act(() => result.current[1]({ volume: 0.4, muted: true }));
  const kept = { rate: 1.5, captions: "th", lastCaptions: "th", volume: 0.4, muted: true, keys: true };
  expect(result.current[0]).toEqual(kept);
  expect(readPreferences()).toEqual(kept);
});

test("the language of captions that are switched off is known when they come back", () => {
  localStorage.setItem("player", '{"rate":1,"volume":1,"muted":false,"captions":"th","keys":true}');
  const { result } = renderHook(usePreferences);
  act(() => result.current[1]({ captions: null }));
  act(() => result.current[1]({ rate: 2 }));
  expect(result.current[0]).toMatchObject({ captions: null, lastCaptions: "th" });
});

test.each(["", "no JSON", "null", '{"rate":7,"volume":1,"muted":false,"captions":null,"keys":true}'])(
  "malformed stored preferences are replaced by the initial ones: %j",
  (stored) => {
    localStorage.setItem("player", stored);
    expect(readPreferences()).toEqual({ rate: 1, volume: 1, muted: false, captions: null, lastCaptions: null, keys: true });
  },
);

test("preferences change for this page where the browser refuses to store them", () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  refuseStorage();
  const { result } = renderHook(usePreferences);
  act(() => result.current[1]({ rate: 1.5 }));
  act(() => result.current[1]({ volume: 0.4 }));
  expect(result.current[0]).toMatchObject({ rate: 1.5, volume: 0.4 });
});
