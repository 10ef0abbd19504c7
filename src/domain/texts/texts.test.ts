import { describe, expect, it } from "vitest";
import { curriculum, fill, landingStats, moduleNames, texts } from "./texts.ts";

/** The quoted texts (TEXT-1), copied by hand. */
const quoted = `
Loading... | Course | Success Stories | Pricing | Login | Master Forex Trading | Start Learning Now | Watch Demo
Welcome Back | Sign In | Create Account | Full Name | Please wait... | Back | Verify Email | Verifying...
Loading your course content... | Welcome back, {name}! | Contact admin to get access to course content.
You have access to Starter or Advanced package content. | Available Videos | Course Modules | All Modules
Watch Now | Purchase Required | Buy Starter Package | Buy Advanced Package | Most Popular | Logout
50% OFF Starter & 70% OFF Advanced | LUNCH | Apply | Remove | Submit Payment Request | Important Notes
Back to Dashboard | Payment Submitted! | What happens next? | Return to Dashboard
Loading admin dashboard... | Admin | Users | Payments | Videos | Settings
Are you sure you want to delete this user? This action cannot be undone. | Are you sure you want to delete this video?
`
  .trim()
  .split(/ \| |\n/);

describe("the catalogue of texts", () => {
  const known = new Set(Object.values(texts).flatMap((screen) => Object.values<string>(screen)));
  it.each(quoted)("has, word for word: %s", (text) => expect(known).toContain(text));
});

it("the landing page's figures and curriculum stand as specified", () => {
  expect(landingStats.map(({ figure, label }) => `${figure} ${label}`)).toEqual([
    "85% Success Rate",
    "10K+ Students",
    "$2M+ Profits Generated",
  ]);
  expect(curriculum.map(({ title, count, duration }) => `${title}, ${count}, ${duration}`)).toEqual([
    "Forex Fundamentals, 12 lessons, 3 hours",
    "Technical Analysis, 18 lessons, 5 hours",
    "Trading Strategies, 15 lessons, 4 hours",
    "Risk Management, 10 lessons, 2.5 hours",
    "Trading Psychology, 8 lessons, 2 hours",
    "Live Trading, 20 sessions, 10 hours",
  ]);
});

it("six modules have an icon of their own", () => {
  expect(moduleNames).toEqual(["Forex Basics", "SMC Course", "Elliott Wave", "Risk Management", "Psychology", "Live Trading"]);
});

describe("filling a text", () => {
  it("puts values in their places", () => expect(fill(texts.student.greeting, { name: "Nok" })).toBe("Welcome back, Nok!"));
  it("leaves unknown placeholders and inserts values unchanged", () => {
    expect(fill("{a} {b}", { a: "$& {b}" })).toBe("$& {b} {b}");
  });
});
