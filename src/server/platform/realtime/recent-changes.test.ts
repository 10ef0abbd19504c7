import { expect, test } from "vitest";
import type { Principal } from "../http/access.ts";
import { RecentChanges } from "./recent-changes.ts";

const at = (seconds: number): Date => new Date(Date.UTC(2026, 10, 26) + seconds * 1000);
const someone = { id: "a" } as Principal;
const reachesSomeone = ({ id }: Principal): boolean => id === "a";

// LIVE-1
test("returns the topics that reached somebody since ten seconds before a time", () => {
  const recent = new RecentChanges(at(0));
  recent.add(at(20), "coupons", reachesSomeone);
  recent.add(at(21), "profile", reachesSomeone);
  recent.add(at(40), "videos", () => true);
  recent.add(at(40), "news", () => false);
  expect(recent.topicsSince(at(31), someone)).toEqual(new Set(["profile", "videos"]));
  expect(recent.topicsSince(at(51), someone)).toEqual(new Set());
});

test("returns nothing for a time before the start or the oldest change that is kept", () => {
  const recent = new RecentChanges(at(0), 1);
  expect(recent.topicsSince(at(9), someone)).toBeUndefined();
  expect(recent.topicsSince(at(10), someone)).toEqual(new Set());
  recent.add(at(20), "profile", reachesSomeone);
  recent.add(at(30), "videos", reachesSomeone);
  expect(recent.topicsSince(at(29), someone)).toBeUndefined();
  expect(recent.topicsSince(at(30), someone)).toEqual(new Set(["videos"]));
});
