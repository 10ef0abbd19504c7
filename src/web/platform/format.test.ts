import { expect, test } from "vitest";
import {
  ago,
  clock,
  countdown,
  dayAndTime,
  fileSize,
  localTime,
  playingTime,
  roughly,
  shortened,
  usd,
  utcDateTime,
  weekday,
} from "./format.ts";

test("formats USD to its last digit without rounding", () => {
  expect(usd("299.1")).toBe("$299.1");
  expect(usd("997")).toBe("$997");
  expect(usd("331.33669")).toBe("$331.33669");
});

test("time left and sizes", () => {
  expect(clock(1800)).toBe("30:00");
  expect(clock(61)).toBe("1:01");
  expect(clock(-3)).toBe("0:00");
  expect(fileSize(5 * 1024 ** 3)).toBe("5 GB");
  expect(fileSize(300_000)).toBe("293 kB");
});

test("formats a playing time in minutes, or in seconds below one minute", () => {
  expect([0.2, 8, 59.4, 59.6, 90, 754, 3570, 3600, 5400].map(playingTime)).toEqual([
    "1 s",
    "8 s",
    "59 s",
    "1 min",
    "2 min",
    "13 min",
    "1 h 0 min",
    "1 h 0 min",
    "1 h 30 min",
  ]);
});

test("a rough time is rounded up, in the largest unit that still says something", () => {
  const said = (seconds: number): string => roughly(seconds);
  expect([0, 1, 60, 61, 59 * 60].map(said)).toEqual(["1 minute", "1 minute", "1 minute", "2 minutes", "59 minutes"]);
  expect([59 * 60 + 1, 3600, 3601, 3 * 3600, 47 * 3600].map(said)).toEqual([
    "1 hour",
    "1 hour",
    "2 hours",
    "3 hours",
    "47 hours",
  ]);
  expect([47 * 3600 + 1, 48 * 3600, 48 * 3600 + 1, 10 * 86_400].map(said)).toEqual(["2 days", "2 days", "3 days", "10 days"]);
});

test("a receipt's times are the same for every reader", () => {
  expect(utcDateTime("2026-12-31T23:59:30Z")).toBe("31 Dec 2026, 23:59 UTC");
  expect(utcDateTime("2027-01-01T06:05:00+07:00")).toBe("31 Dec 2026, 23:05 UTC");
});

test("a hash is shortened, a bank's reference and a bank with its account are not", () => {
  expect(shortened(`f4184fc5${"0".repeat(48)}31e9e9e1`)).toBe("f4184fc5…31e9e9e1");
  expect(shortened("KB-2026-11-21-0042")).toBe("KB-2026-11-21-0042");
  expect(shortened("Kasikornbank 012-3-45678-9")).toBe("Kasikornbank 012-3-45678-9");
});

test("a near day is written with its weekday and without the year", () => {
  expect(dayAndTime("2026-11-23T12:00:00")).toBe("Mon 23 Nov, 12:00");
});

test("a time is converted to the fields of a form in another zone", () => {
  expect(localTime("2026-11-24T17:30:00Z", "Asia/Bangkok")).toEqual({ date: "2026-11-25", time: "00:30" });
  expect(weekday("2026-11-25")).toBe("Wednesday");
});

test.each([
  [0, "0:00"],
  [65, "1:05"],
  [3599, "59:59"],
  [3600, "1 hour 0 min"],
  [2 * 3600 + 59 * 60, "2 hours 59 min"],
  [24 * 3600, "1 day"],
  [(3 * 24 + 1) * 3600 + 59, "3 days 1 hour"],
])("counts %i seconds down as %s", (seconds, text) => {
  expect(countdown(seconds)).toBe(text);
});

test.each([
  [-5, "just now"],
  [59, "just now"],
  [119, "1 minute ago"],
  [3599, "59 minutes ago"],
  [7199, "1 hour ago"],
  [172_799, "47 hours ago"],
  [172_800, "2 days ago"],
  [345_599, "3 days ago"],
])("says how long ago %d seconds are: %s", (seconds, text) => {
  expect(ago(seconds)).toBe(text);
});
