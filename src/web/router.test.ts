// @vitest-environment happy-dom
import { createMemoryRouter } from "react-router";
import { expect, test, vi } from "vitest";
import { beginPlaying } from "./features/watch/source/early-play.ts";
import { routes } from "./router.tsx";

vi.mock("./features/watch/source/early-play.ts", () => ({ beginPlaying: vi.fn<() => void>() }));
vi.mock("./features/watch/page.tsx", () => ({ WatchPage: () => null }));
vi.mock("./entities/session/guards.tsx", () => ({ WatchGuard: () => null }));

/** WATCH-4, DEVICE-1. */
test("a film is requested on the way to its page, not again on the open page", async () => {
  const router = createMemoryRouter(routes, { initialEntries: ["/watch/1"] });
  await expect.poll(() => router.state.initialized).toBe(true);
  for (const id of ["1", "2", "2", "1"]) await router.navigate(`/watch/${id}`);
  expect(vi.mocked(beginPlaying).mock.calls).toEqual([["1"], ["2"], ["1"]]);
});
