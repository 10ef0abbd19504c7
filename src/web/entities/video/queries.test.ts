// @vitest-environment happy-dom
import { QueryObserver } from "@tanstack/react-query";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Video } from "#domain/api/course/videos";
import { settled } from "../../../../tests/support/settled.ts";
import { api } from "../../platform/api.ts";
import { queryClient } from "../../platform/query/query-client.ts";
import { saveProgress, videosOptions } from "./queries.ts";

vi.mock("../../platform/api.ts", () => ({
  api: { videos: { list: vi.fn<() => unknown>(), saveProgress: vi.fn<() => unknown>() } },
}));

const at = (position_seconds: number) => ({ position_seconds, done: false });
const listAt = (position: number) => ({ items: [{ id: "a", progress: at(position) } as Video], next_cursor: null });

// WATCH-3
test("a saved position is not undone by a read that began before", async () => {
  const replies: ((list: ReturnType<typeof listAt>) => void)[] = [];
  vi.mocked(api.videos.list).mockImplementation(() => new Promise((reply) => replies.push(reply)));
  vi.mocked(api.videos.saveProgress).mockResolvedValue(at(60));
  const observer = new QueryObserver(queryClient, videosOptions);
  onTestFinished(observer.subscribe(() => {}));
  const position = () => observer.getCurrentResult().data?.[0]?.progress?.position_seconds;
  replies[0]!(listAt(0));
  await expect.poll(position).toBe(0);

  void observer.refetch();
  await saveProgress("a", { position_seconds: 60, duration_seconds: 600 });
  expect(position()).toBe(60);
  replies[1]!(listAt(0));
  await settled();
  expect([replies.length, position()]).toEqual([3, 60]);
  replies[2]!(listAt(61));
  await expect.poll(position).toBe(61);
});
