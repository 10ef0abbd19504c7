import { expect, it } from "vitest";
import { audienceNames, audiencesOf } from "./news.ts";

// NEWS-2
it.each([
  ["student", "unpaid", ["everyone"]],
  ["student", "starter", ["everyone", "starter"]],
  ["student", "advanced", ["everyone", "starter", "advanced"]],
  ["admin", "unpaid", ["everyone", "starter", "advanced"]],
] as const)("a %s with the tier %s reads the news for %s", (role, subscription_status, audiences) => {
  expect(audiencesOf({ role, subscription_status })).toEqual(audiences);
});

it("names each audience by its tiers", () => {
  expect(audienceNames).toEqual({ everyone: "All students", starter: "Starter and Advanced", advanced: "Advanced only" });
});
