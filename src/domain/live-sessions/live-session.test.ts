import { describe, expect, it } from "vitest";
import { hasLiveSessions, isJoinOpen, isTimeZone } from "./live-session.ts";
import { plannedUntil } from "./occurrences.ts";

// LIVESESSION-3
describe("live sessions", () => {
  it.each([
    ["student", "unpaid", false],
    ["student", "starter", false],
    ["student", "advanced", true],
    ["admin", "unpaid", true],
  ] as const)("includes live sessions for a %s with tier %s: %s", (role, subscription_status, has) => {
    expect(hasLiveSessions({ role, subscription_status })).toBe(has);
  });

  it.each([
    ["11:44:59", false],
    ["11:45:00", true],
    ["12:59:59", true],
    ["13:00:00", false],
  ])("a live session from 12:00 to 13:00 can be joined at %s: %s", (time, isOpen) => {
    const at = (text: string): Date => new Date(`2026-11-24T${text}Z`);
    expect(isJoinOpen({ starts_at: at("12:00:00"), ends_at: at("13:00:00") }, at(time))).toBe(isOpen);
  });
});

it.each([
  ["Asia/Bangkok", true],
  ["America/Argentina/Buenos_Aires", true],
  ["UTC", true],
  ["asia/bangkok", true],
  ["EST", true],
  ["EST5EDT", true],
  ["Antarctica/Troll", true],
  ["IST", false],
  ["bst", false],
  ["+07:00", false],
  ["Mars/Olympus", false],
  ["", false],
])("%s is a time zone: %s", (name, is) => {
  expect(isTimeZone(name)).toBe(is);
});

it("plans in each time zone that it takes, short names included", () => {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
  const names = letters.flatMap((first) => letters.map((second) => `${first}${second}T`));
  const taken = names.filter((name) => isTimeZone(name));
  const plan = { date: "2026-11-24", time: "19:00", duration_minutes: 60, weekly: true, ends_on: "2026-12-24" };
  expect(taken.map((time_zone) => plannedUntil({ ...plan, time_zone }, new Date(0)))).toEqual(taken.map(() => "2026-12-24"));
  expect(taken).toEqual(["CET", "EET", "EST", "GMT", "HST", "MET", "MST", "UCT", "WET"]);
});
