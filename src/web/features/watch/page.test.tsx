// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { Route, Routes } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import type { Me } from "#domain/api/account";
import type { Video } from "#domain/api/course/videos";
import { ProductError } from "#domain/errors/messages";
import { show } from "../../../../tests/support/render.tsx";
import { SessionContext } from "../../entities/session/session.tsx";
import { api } from "../../platform/api.ts";
import { logError } from "../../platform/errors.ts";
import { WatchPage } from "./page.tsx";

vi.mock("../../platform/api.ts", () => ({
  api: { videos: { list: vi.fn<() => unknown>(), saveProgress: vi.fn<() => unknown>() } },
}));
vi.mock("../../platform/errors.ts", async (original) => ({ ...(await original<object>()), logError: vi.fn<() => void>() }));
const saveProgress = vi.mocked(api.videos.saveProgress);
const me = { full_name: "Ann", subscription_status: "starter" } as Me;
const lesson = {
  id: "1",
  title: "Pips",
  module: "Forex Basics",
  playable: true,
  video_url: "https://films.example/1",
  progress: null,
  captions: [],
  attachments: [],
} as unknown as Video;

beforeEach(() => {
  vi.mocked(api.videos.list)
    .mockReset()
    .mockResolvedValue({ items: [lesson], next_cursor: null });
  saveProgress.mockReset();
});

async function openLesson() {
  const { user } = show(
    <SessionContext value={{ status: "signed-in", me, asOf: 0 }}>
      <Routes location="/watch/1">
        <Route path="watch/:id" element={<WatchPage />} />
      </Routes>
    </SessionContext>,
  );
  const link = await screen.findByRole("link", { name: "Watch Now" });
  // Nothing is fetched from there.
  for (const type of ["click", "auxclick"]) link.addEventListener(type, (event) => event.preventDefault());
  return { user, link };
}

// PATH-4
test("a film at an outside address counts as begun when it is opened", async () => {
  const offline = new ProductError("offline");
  saveProgress.mockRejectedValue(offline);
  const { user, link } = await openLesson();
  expect(link.getAttribute("href")).toBe("https://films.example/1");
  expect(saveProgress).not.toHaveBeenCalled();
  await user.click(link);
  expect(saveProgress.mock.calls).toEqual([[{ params: { id: "1" }, body: { position_seconds: 0, duration_seconds: 0 } }]]);
  expect(logError).toHaveBeenCalledWith(offline);
});

test("an outside film is begun by the middle button, not by the right one", async () => {
  saveProgress.mockResolvedValue(undefined as never);
  const { user, link } = await openLesson();
  await user.pointer({ keys: "[MouseRight]", target: link });
  expect(saveProgress).not.toHaveBeenCalled();
  await user.pointer({ keys: "[MouseMiddle]", target: link });
  expect(saveProgress).toHaveBeenCalledOnce();
});
