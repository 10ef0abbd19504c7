import { describe, expect, it } from "vitest";
import { subscriptionStatuses } from "./packages.ts";
import { canPlay, packageTag, packageWith, videoPackageTypes } from "./video-access.ts";

describe("a student", () => {
  it.each([
    ["unpaid", "both", true],
    ["unpaid", "starter", false],
    ["unpaid", "advanced", false],
    ["starter", "both", true],
    ["starter", "starter", true],
    ["starter", "advanced", false],
    ["advanced", "both", true],
    ["advanced", "starter", true],
    ["advanced", "advanced", true],
  ] as const)("who is %s may play a video for %s: %s", (subscription_status, packageType, allowed) => {
    expect(canPlay({ role: "student", subscription_status }, packageType)).toBe(allowed);
  });
});

it("the admin may play every video", () => {
  for (const subscription_status of subscriptionStatuses) {
    for (const packageType of videoPackageTypes)
      expect(canPlay({ role: "admin", subscription_status }, packageType)).toBe(true);
  }
});

it('a card\'s tag is "All" for both, else the package type', () => {
  expect(videoPackageTypes.map(packageTag)).toEqual(["All", "starter", "advanced"]);
});

it("the cheapest package with a video is Advanced only where Starter lacks it", () => {
  expect(videoPackageTypes.map(packageWith)).toEqual(["starter", "starter", "advanced"]);
});
