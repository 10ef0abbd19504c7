import { describe, expect, it } from "vitest";
import { includesPackage, isDowngrade, packageBadges, packages, packageTypes } from "./packages.ts";

describe("the packages", () => {
  it("cost 497 and 997 USD", () => {
    expect([packages.starter.priceUsd, packages.advanced.priceUsd]).toEqual(["497", "997"]);
  });

  it("hold what the landing page promises", () => {
    expect(packages.starter.features).toEqual([
      "Forex Basics",
      "SMC Full Course",
      "SMC Trade Plan",
      "Risk Management",
      "Psychology & Mindset Mastery (Basic)",
    ]);
    expect(packages.advanced.features).toEqual([
      "Forex Basics",
      "SMC Full Course",
      "SMC Trade Plan",
      "Elliott Wave Full Course",
      "Elliott Wave Trade Plan",
      "SMC + Wave Trade Plan",
      "Risk Management",
      "Psychology & Mindset Mastery (Full Course)",
      "Weekly Live Mentorship",
    ]);
  });

  it("are called Starter and Advanced", () => {
    expect([packages.starter.name, packages.advanced.name]).toEqual(["Starter", "Advanced"]);
  });

  it("have their badges", () => {
    expect(packageBadges).toEqual({ unpaid: "No Package", starter: "Starter Package", advanced: "Advanced Package" });
  });
});

it.each([
  ["advanced", "starter", true],
  ["advanced", "unpaid", true],
  ["starter", "unpaid", true],
  ["unpaid", "starter", false],
  ["starter", "advanced", false],
  ["starter", "starter", false],
] as const)("going from %s to %s takes something away: %s", (from, to, takes) => expect(isDowngrade(from, to)).toBe(takes));

/** PAY-9. */
it.each([
  ["unpaid", []],
  ["starter", ["starter"]],
  ["advanced", ["starter", "advanced"]],
] as const)("the tier %s includes the packages %j", (tier, included) => {
  expect(packageTypes.filter((packageType) => includesPackage(tier, packageType))).toEqual(included);
});
