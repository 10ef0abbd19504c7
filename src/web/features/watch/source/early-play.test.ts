// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { ProductError } from "#domain/errors/messages";
import { api } from "../../../platform/api.ts";
import { accessToken } from "../../../platform/auth-client.ts";
import { beginPlaying, takeBegun } from "./early-play.ts";

vi.mock("../../../platform/api.ts", () => ({ api: { videos: { play: vi.fn<() => unknown>() } } }));
vi.mock("../../../platform/auth-client.ts", () => ({ accessToken: vi.fn<() => unknown>() }));
const play = vi.mocked(api.videos.play);
const token = vi.mocked(accessToken);
const reply = { url: "https://course.example/film", expires_at: "2026-11-22T12:00:00.000Z", watermark: null, progress: null };

beforeEach(() => {
  play.mockReset().mockResolvedValue(reply);
  token.mockReset().mockResolvedValue("token");
});

/** WATCH-4. */
test("a film requested before its page opens is used by that page, once", async () => {
  beginPlaying("1");
  await expect(takeBegun("2")).resolves.toBeUndefined();
  await expect(takeBegun("1")).resolves.toEqual(reply);
  await expect(takeBegun("1")).resolves.toBeUndefined();
  expect(play.mock.calls).toEqual([[{ params: { id: "1" } }]]);
});

test("no film is requested without a session", async () => {
  token.mockResolvedValue(undefined);
  beginPlaying("1");
  await expect(takeBegun("1")).resolves.toBeUndefined();
  expect(play).not.toHaveBeenCalled();
});

test("the reason of a refusal is left to the page of the film", async () => {
  play.mockRejectedValue(new ProductError("video_locked"));
  beginPlaying("1");
  await expect(takeBegun("1")).rejects.toMatchObject({ code: "video_locked" });
});
