import { clockToleranceSeconds } from "./clock-tolerance.ts";

/** What is known of the scheduled backups. */
export interface BackupHistory {
  /** When the newest one that ended was begun, good or not; null before the first. */
  startedAt: Date | null;
  /** When the newest good one was begun, which is the moment that it holds: one without stored files that it should have is not good. */
  lastGoodAt: Date | null;
  /** When the newest one that ended did so, if it failed; otherwise null. */
  failedAt: Date | null;
}

/** Seconds after its end until a backup that failed is tried again, unless the schedule has it sooner. */
const retrySeconds = 3600;

/**
 * Returns whether a backup is to be made now (BACKUP-4): `everySeconds` after the start of the newest, or an hour after the end of one that failed.
 * A start that lies ahead is of a clock that was wrong, and does not count.
 */
export function isBackupDue({ startedAt, failedAt }: BackupHistory, everySeconds: number, now: Date): boolean {
  if (startedAt === null) return true;
  const age = secondsBetween(startedAt, now);
  if (age < -clockToleranceSeconds) return true;
  return age >= everySeconds || (failedAt !== null && secondsBetween(failedAt, now) >= retrySeconds);
}

/** Returns whether the last good backup is older than one and a half times `everySeconds` (BACKUP-6). */
export function isBackupOverdue({ lastGoodAt }: BackupHistory, everySeconds: number, now: Date): boolean {
  return lastGoodAt !== null && secondsBetween(lastGoodAt, now) > 1.5 * everySeconds;
}

const secondsBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 1000;
