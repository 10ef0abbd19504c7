/** The only reader of time in the server; tests pass one they can move. */
export interface Clock {
  now(): Date;
  /**
   * The same time for intervals, leases and back-off: set once when the process starts and not moved when somebody sets the
   * machine's clock. Never show it to a person.
   */
  steady(): Date;
}

export const systemClock: Clock = {
  now: () => new Date(),
  steady: () => new Date(performance.timeOrigin + monotonicMs()),
};

/** A moment some seconds after another. */
export function secondsAfter(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000);
}

/** Milliseconds since some fixed point, for lengths of time: unlike a clock it is never set back. */
export const monotonicMs = (): number => performance.now();
