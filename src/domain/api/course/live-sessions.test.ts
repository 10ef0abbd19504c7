import { expect, it } from "vitest";
import * as z from "zod/mini";
import { LiveSessionChanges, liveSessions, NewLiveSession } from "./live-sessions.ts";

const plan = {
  title: "Charts of the week",
  description: "Bring questions.",
  join_url: "https://meet.example/a",
  date: "2026-11-24",
  time: "19:00",
  time_zone: "Asia/Bangkok",
  duration_minutes: 90,
  weekly: true,
  ends_on: "2026-12-24",
};

// LIVESESSION-1
it.each([
  {},
  { ends_on: null },
  { time: "00:00" },
  { time: "09:59" },
  { time: "23:59" },
  { date: "2000-01-01" },
  { date: "2199-12-31" },
  { duration_minutes: 5 },
  { duration_minutes: 720 },
  { time_zone: "UTC" },
])("plans a live session with %j", (given) => {
  expect(z.parse(NewLiveSession, { ...plan, ...given })).toEqual({ ...plan, ...given });
});

it.each([
  ["title", " ", "title_missing"],
  ["description", " ", "description_missing"],
  ["join_url", "http://meet.example/a", "join_url_invalid"],
  ["join_url", "xhttps://meet.example/a", "join_url_invalid"],
  ["join_url", "httpsx://meet.example/a", "join_url_invalid"],
  ["join_url", "https:meet.example/a", "join_url_invalid"],
  ["join_url", "https:/meet.example/a", "join_url_invalid"],
  ["join_url", String.raw`https:\\meet.example\a`, "join_url_invalid"],
  ["join_url", `https://meet.example/${"a".repeat(2000)}`, "join_url_invalid"],
  ["date", "1999-12-31", "date_invalid"],
  ["date", "2200-01-01", "date_invalid"],
  ["date", "2026-02-30", "date_invalid"],
  ["ends_on", "24.12.2026", "date_invalid"],
  ["time", "24:00", "time_invalid"],
  ["time", "19:60", "time_invalid"],
  ["time", "119:00", "time_invalid"],
  ["time", "19:000", "time_invalid"],
  ["time_zone", "Mars/Olympus", "time_zone_invalid"],
  ["duration_minutes", 4, "duration_invalid"],
  ["duration_minutes", 721, "duration_invalid"],
])("plans no live session whose %s is %j", (field, value, code) => {
  const { error } = z.safeParse(NewLiveSession, { ...plan, [field]: value });
  // A date may be wrong in two ways at once.
  expect(new Set(error?.issues.map(({ message }) => message))).toEqual(new Set([code]));
});

it("writes the scheme of a link to join in lower case, and the rest as it is", () => {
  const join_url = z.parse(NewLiveSession, { ...plan, join_url: "HttpS://Meet.example/A?p=Https://" }).join_url;
  expect(join_url).toBe("https://Meet.example/A?p=Https://");
});

it("plans no live session of a part of a minute", () => {
  expect(z.safeParse(NewLiveSession, { ...plan, duration_minutes: 90.5 }).success).toBe(false);
});

it("changes any field of a plan by itself", () => {
  expect(z.parse(LiveSessionChanges, {})).toEqual({});
  for (const [field, value] of Object.entries(plan)) {
    expect(z.parse(LiveSessionChanges, { [field]: value })).toEqual({ [field]: value });
  }
});

it("lists the coming occurrences unless others are asked for", () => {
  const query = liveSessions.occurrences["~orpc"].inputSchema as z.ZodMiniType;
  expect([z.parse(query, {}), z.parse(query, { when: "past" })]).toEqual([{ when: "coming" }, { when: "past" }]);
});
