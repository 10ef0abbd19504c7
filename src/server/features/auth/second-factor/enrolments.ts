import { secondsAfter } from "../../../platform/clock.ts";

/** Seconds after which an enrolment that was not verified ends (FACTOR-1). */
const enrolmentSeconds = 30 * 60;

/** Returns the time before which enrolments that are not verified have ended. */
export function oldestEnrolment(now: Date): Date {
  return secondsAfter(now, -enrolmentSeconds);
}
