import fc from "fast-check";
import { expect, it } from "vitest";
import { isBackupDue, isBackupOverdue } from "./backup-schedule.ts";

const day = 86_400;
const begin = new Date("2026-11-22T03:00:00Z");
const after = (seconds: number): Date => new Date(begin.getTime() + seconds * 1000);
const good = { startedAt: begin, lastGoodAt: begin, failedAt: null };
const failed = { ...good, failedAt: begin };
const failedLate = { ...good, failedAt: after(4200) };

// BACKUP-4
it("makes the first backup at once", () => {
  expect(isBackupDue({ startedAt: null, lastGoodAt: null, failedAt: null }, day, begin)).toBe(true);
});

it.each([
  ["a good one", good, day - 1, false],
  ["a good one", good, day, true],
  ["one that failed", failed, 3599, false],
  ["one that failed", failed, 3600, true],
  ["one that failed after 70 minutes", failedLate, 4200 + 3599, false],
  ["one that failed after 70 minutes", failedLate, 4200 + 3600, true],
])("after %s: %o is due %i seconds later: %s", (_, history, seconds, isDue) => {
  expect(isBackupDue(history, day, after(seconds))).toBe(isDue);
});

it("does not wait for a time that a wrong clock has set", () => {
  expect(isBackupDue(good, day, after(-300))).toBe(false);
  expect(isBackupDue(good, day, after(-301))).toBe(true);
});

it("waits less after a failure, never longer", () => {
  const seconds = fc.integer({ min: 3600, max: 30 * day });
  fc.assert(
    fc.property(seconds, seconds, (every, later) => {
      if (isBackupDue(good, every, after(later))) expect(isBackupDue(failed, every, after(later))).toBe(true);
    }),
  );
});

// BACKUP-6
it("is overdue after one and a half times the interval", () => {
  expect(isBackupOverdue(good, day, after(1.5 * day))).toBe(false);
  expect(isBackupOverdue(good, day, after(1.5 * day + 1))).toBe(true);
  expect(isBackupOverdue({ ...good, lastGoodAt: null }, day, after(10 * day))).toBe(false);
});
