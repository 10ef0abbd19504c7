/** Seconds that the clocks of two processes may differ. */
export const clockToleranceSeconds = 300;
