import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LiveSessionPlan } from "./live-session.ts";
import { comingOccurrences, occurrenceOn, plannedUntil } from "./occurrences.ts";

const plan = (given: Partial<LiveSessionPlan> = {}): LiveSessionPlan => ({
  date: "2026-10-20",
  time: "19:00",
  time_zone: "Europe/Berlin",
  duration_minutes: 90,
  weekly: true,
  ends_on: null,
  ...given,
});

const starts = (given: Partial<LiveSessionPlan>, now = "2026-01-01T00:00:00Z"): string[] =>
  comingOccurrences(plan(given), new Date(now)).map(({ starts_at }) => starts_at.toISOString().slice(0, 16));

/** The clock on the wall of a zone, by the platform's own rules rather than the library's. */
function wallTime(instant: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short", timeStyle: "short", hourCycle: "h23" });
  return parts.format(instant).replace(", ", " ");
}

const zones = [
  "Europe/Berlin",
  "Europe/London",
  "America/New_York",
  "America/St_Johns",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Asia/Bangkok",
  "UTC",
];
const dates = fc.date({ min: new Date("2026-01-01"), max: new Date("2034-01-01"), noInvalidDate: true });
const plans = fc.record({
  date: dates.map((date) => date.toISOString().slice(0, 10)),
  time: fc.tuple(fc.nat(23), fc.nat(59)).map((parts) => parts.map((part) => String(part).padStart(2, "0")).join(":")),
  time_zone: fc.constantFrom(...zones),
  duration_minutes: fc.integer({ min: 5, max: 720 }),
});

// LIVESESSION-2
describe("a weekly session", () => {
  it("keeps the local time when Berlin changes to winter and to summer time", () => {
    expect(starts({ ends_on: "2026-11-03" })).toEqual(["2026-10-20T17:00", "2026-10-27T18:00", "2026-11-03T18:00"]);
    expect(starts({ date: "2027-03-23", ends_on: "2027-03-30" })).toEqual(["2027-03-23T18:00", "2027-03-30T17:00"]);
  });

  it("keeps the local time in New York, whose clocks change on other days", () => {
    const newYork = { time_zone: "America/New_York", date: "2026-10-27", ends_on: "2026-11-03" };
    expect(starts(newYork)).toEqual(["2026-10-27T23:00", "2026-11-04T00:00"]);
    expect(starts({ ...newYork, date: "2027-03-09", ends_on: "2027-03-16" })).toEqual(["2027-03-10T00:00", "2027-03-16T23:00"]);
  });

  it("plans a session in Bangkok at one UTC time all year", () => {
    const times = starts({ time_zone: "Asia/Bangkok", date: "2026-01-06" }).map((start) => start.slice(11));
    expect(new Set(times)).toEqual(new Set(["12:00"]));
    expect(times).toHaveLength(27);
  });

  it("keeps weekday and local time over any change of clocks", () => {
    fc.assert(
      fc.property(plans, dates, (given, now) => {
        for (const { date, starts_at, ends_at } of comingOccurrences(plan(given), now)) {
          const days = (Date.parse(date) - Date.parse(given.date)) / 86_400_000;
          expect(days % 7).toBe(0);
          expect(ends_at.getTime() - starts_at.getTime()).toBe(given.duration_minutes * 60_000);
          expect(ends_at > now).toBe(true);
          const wall = wallTime(starts_at, given.time_zone);
          if (wall === `${date} ${given.time}`) continue;
          // Only a time that the clocks skip may differ: the same clock an hour earlier was never at it.
          const before = wallTime(new Date(starts_at.getTime() - 3_600_000), given.time_zone);
          expect(before < `${date} ${given.time}` && wall > `${date} ${given.time}`).toBe(true);
        }
      }),
    );
  });

  it("plans every week from the first that has not ended to the end of the plan", () => {
    fc.assert(
      fc.property(plans, dates, (given, now) => {
        const found = comingOccurrences(plan(given), now).map(({ date }) => date);
        const all: string[] = [];
        const last = Date.parse(plannedUntil(plan(given), now));
        for (let day = Date.parse(given.date); day <= last; day += 7 * 86_400_000) {
          const date = new Date(day).toISOString().slice(0, 10);
          if (occurrenceOn(plan(given), date, given.time).ends_at > now) all.push(date);
        }
        expect(found).toEqual(all);
      }),
    );
  });

  it("plans half a year ahead, from today or the first day, not past the last day", () => {
    const now = new Date("2026-11-22T20:00:00Z");
    expect(plannedUntil(plan(), now)).toBe("2027-05-23");
    expect(plannedUntil(plan({ time_zone: "Asia/Bangkok" }), now)).toBe("2027-05-24");
    expect(plannedUntil(plan({ date: "2028-01-04" }), now)).toBe("2028-07-04");
    expect(plannedUntil(plan({ ends_on: "2026-12-01" }), now)).toBe("2026-12-01");
    expect(plannedUntil(plan({ ends_on: "2027-12-01" }), now)).toBe("2027-05-23");
  });

  it("continues a session that began long ago with the one that has not ended", () => {
    expect(starts({ date: "2000-01-04", ends_on: "2026-12-01" }, "2026-11-24T19:29:59Z")).toEqual([
      "2026-11-24T18:00",
      "2026-12-01T18:00",
    ]);
  });
});

// LIVESESSION-2
describe("a local time", () => {
  it("reads a local time that clocks skip with the offset before the change", () => {
    expect(starts({ weekly: false, date: "2027-03-28", time: "02:30" })).toEqual(["2027-03-28T01:30"]);
    expect(wallTime(new Date("2027-03-28T01:30Z"), "Europe/Berlin")).toBe("2027-03-28 03:30");
  });

  it("reads a local time that clocks repeat as the first of the two", () => {
    expect(starts({ weekly: false, date: "2026-10-25", time: "02:30" })).toEqual(["2026-10-25T00:30"]);
  });

  it("keeps the planned duration over a change of clocks", () => {
    const { starts_at, ends_at } = occurrenceOn(plan({ duration_minutes: 120 }), "2026-10-25", "01:30");
    expect(ends_at.getTime() - starts_at.getTime()).toBe(120 * 60_000);
  });
});

describe("a single session", () => {
  it("plans a single session once, on its day", () => {
    expect(starts({ weekly: false })).toEqual(["2026-10-20T17:00"]);
  });

  it("plans a single session on its day alone", () => {
    expect(plannedUntil(plan({ weekly: false }), new Date("2026-01-01T00:00:00Z"))).toBe("2026-10-20");
  });

  it("plans no single session that has ended", () => {
    expect(starts({ weekly: false }, "2026-10-20T18:29:59Z")).toHaveLength(1);
    expect(starts({ weekly: false }, "2026-10-20T18:30:00Z")).toEqual([]);
  });
});
