/** The only reader of time in the server; tests pass one they can move. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A moment some seconds after another. */
export function secondsAfter(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000);
}

/** Milliseconds since some fixed point, for lengths of time: unlike a clock it is never set back. */
export const monotonicMs = (): number => performance.now();
