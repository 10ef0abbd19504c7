// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { api, sendOnLeave } from "./api.ts";
import { accessToken } from "./auth-client.ts";

// Vitest has no build of it.
vi.mock("virtual:contract-routes", () => import("#domain/api/contract"));
vi.mock("./auth-client.ts", () => ({ accessToken: vi.fn<() => unknown>(), renewOrLoseSession: vi.fn<() => unknown>() }));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** WATCH-1. */
test("what is sent while the page is left reports whether the server accepted it", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const ask = vi.fn<typeof fetch>(() => Promise.resolve(Response.json({})));
  vi.stubGlobal("fetch", ask);
  const send = () => sendOnLeave("PUT", "/api/videos/1/progress", { position_seconds: 1 });
  expect(await send()).toBe(false);
  expect(ask).not.toHaveBeenCalled();

  vi.mocked(accessToken).mockResolvedValue("token");
  await api.videos.list({ limit: 1 });
  expect(await send()).toBe(true);
  expect(ask.mock.calls[1]).toEqual([
    "/api/videos/1/progress",
    expect.objectContaining({
      method: "PUT",
      keepalive: true,
      headers: expect.objectContaining({ authorization: "Bearer token" }),
    }),
  ]);
  ask.mockResolvedValueOnce(Response.json({}, { status: 401 }));
  expect(await send()).toBe(false);
  ask.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  expect(await send()).toBe(false);
});
