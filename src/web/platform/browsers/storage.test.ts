// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { refuseStorage } from "../../../../tests/support/refuse-storage.ts";
import { localStore } from "./storage.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
});

test("what the browser stores is there for another page, until it is removed", () => {
  localStore.set("rate", "2");
  expect([localStorage.getItem("rate"), localStore.get("rate"), localStore.keys()]).toEqual(["2", "2", ["rate"]]);
  localStore.remove("rate");
  expect([localStore.get("rate"), localStore.keys()]).toEqual([null, []]);
});

test("what the browser refuses to store is kept as long as the page", () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  refuseStorage();
  expect([localStore.get("rate"), localStore.keys()]).toEqual([null, []]);
  localStore.set("rate", "2");
  expect([localStore.get("rate"), localStore.keys()]).toEqual(["2", ["rate"]]);
  expect(logged).toHaveBeenCalledWith(expect.objectContaining({ name: "SecurityError" }));
  localStore.remove("rate");
  expect([localStore.get("rate"), localStore.keys()]).toEqual([null, []]);
});

test("what a full storage refuses replaces what it has", () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  localStore.set("rate", "1");
  vi.stubGlobal("localStorage", {
    getItem: () => "1",
    setItem: () => {
      throw new DOMException("Full.", "QuotaExceededError");
    },
  });
  localStore.set("rate", "2");
  expect(localStore.get("rate")).toBe("2");
});
