/** Seconds a code is valid and seconds between two codes, and tries per code (VERIFY-2, VERIFY-3). */
export const codeLifetimeSeconds = 10 * 60;
export const resendPauseSeconds = 60;
export const maxTriesPerCode = 5;

/** Returns how many tries a code has left after a number of tries (VERIFY-2). */
export function triesLeft(tries: number): number {
  return Math.max(0, maxTriesPerCode - tries);
}

/** The range a code is drawn from, both ends included (VERIFY-1). */
export const firstCode = 100_000;
export const lastCode = 999_999;

export const codeLength = 6;

/** Returns whether a text is exactly six digits. */
export function isCompleteCode(text: string): boolean {
  return /^\d{6}$/.test(text);
}

/** Returns the first six digits of what was pasted or typed (VERIFY-5). */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, "").slice(0, codeLength);
}

/**
 * Returns the whole seconds until another code may be sent after a pause, at most the pause; 0 when it may. Both times are in milliseconds.
 * A code that lies further ahead than a pause is of a clock that was wrong, and does not count.
 */
export function secondsUntilResend(lastSentAt: number, now: number, pauseSeconds = resendPauseSeconds): number {
  const wait = Math.ceil((lastSentAt + pauseSeconds * 1000 - now) / 1000);
  return wait > 2 * pauseSeconds ? 0 : Math.min(pauseSeconds, Math.max(0, wait));
}

/**
 * Returns the seconds after a code until a caller without a session may cause another: half the code's lifetime while it has
 * tries left, so that a stranger cannot end a code that its owner is typing (VERIFY-3).
 */
export function strangersPauseSeconds(tries: number): number {
  return tries < maxTriesPerCode ? codeLifetimeSeconds / 2 : resendPauseSeconds;
}
