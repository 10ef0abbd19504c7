import { and, gt, isNull, type Placeholder, type SQL } from "drizzle-orm";
import { secondsAfter } from "../clock.ts";
import { sessions } from "./schema.ts";

/** Seconds after which a session ends, however often it was renewed: 30 days (SESSION-4). */
const sessionSeconds = 30 * 24 * 3600;

/** Returns the time before which sessions that have not ended cannot have begun. */
export function oldestStart(now: Date): Date {
  return secondsAfter(now, -sessionSeconds);
}

/** Returns the condition that a session was not ended and began after `startedAfter`. */
export function isNotEnded(startedAfter: Date | Placeholder): SQL | undefined {
  return and(isNull(sessions.revoked_at), gt(sessions.created_at, startedAfter));
}
