// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { auth, isSessionStored, loseSession } from "./auth-client.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

// JOURNEY-3
test("a lost session ends also where the browser refuses to store why", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  vi.stubGlobal("sessionStorage", {
    setItem: () => {
      throw new DOMException("Full.", "QuotaExceededError");
    },
  });
  vi.spyOn(auth, "signOut").mockResolvedValue({ error: null });
  localStorage.setItem("sb-pipwright-auth-token", "{}");
  await loseSession();
  expect(isSessionStored()).toBe(false);
  expect(logged).toHaveBeenCalledWith(expect.objectContaining({ name: "QuotaExceededError" }));
});
