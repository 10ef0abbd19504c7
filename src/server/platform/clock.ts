import { clockToleranceSeconds } from "#domain/clock-tolerance";

/** The only source of time in the server; tests pass one that stands still until they move it. */
export interface Clock {
  now(): Date;
  /**
   * Returns the time for intervals, leases and back-off: it starts at the wall clock's time and does not move when somebody sets
   * that clock. Never shown to a person.
   */
  steady(): Date;
}

export const systemClock: Clock = {
  now: () => new Date(),
  steady: () => new Date(performance.timeOrigin + monotonicMs()),
};

/** Returns the time some seconds after another. */
export function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000);
}

/** Returns whether a time lies in the last `seconds`. One further ahead than clocks may differ is of a clock that was wrong. */
export function isRecent(time: Date, seconds: number, now: Date): boolean {
  return !isAhead(time, now) && now <= secondsAfter(time, seconds);
}

/** Returns whether a time is further ahead than clocks may differ: it is of a clock that was wrong. */
export function isAhead(time: Date, now: Date): boolean {
  return time > secondsAfter(now, clockToleranceSeconds);
}

/** Returns milliseconds since a fixed point, to measure durations: unlike a clock it is never set back. */
export const monotonicMs = (): number => performance.now();

/** Returns the day of a time in UTC, as PostgreSQL writes a date. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
