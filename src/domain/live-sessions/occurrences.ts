import { Temporal } from "temporal-polyfill";
import type { LiveSessionPlan } from "./live-session.ts";

/** Weeks for which a weekly session is planned ahead. */
export const plannedWeeks = 26;

export interface PlannedOccurrence {
  /** The day in the zone of the session. */
  date: string;
  starts_at: Date;
  ends_at: Date;
}

/**
 * Returns the occurrences of a session that have not ended at `now`, up to the day `plannedUntil` (LIVESESSION-2). A weekly session keeps
 * its local time when clocks change.
 */
export function comingOccurrences(plan: LiveSessionPlan, now: Date): PlannedOccurrence[] {
  const first = Temporal.PlainDate.from(plan.date);
  const last = Temporal.PlainDate.from(plannedUntil(plan, now));
  const found: PlannedOccurrence[] = [];
  for (let week = weeksBefore(plan, now); ; week += 1) {
    const date = first.add({ weeks: week });
    if (Temporal.PlainDate.compare(date, last) > 0) return found;
    const occurrence = occurrenceOn(plan, date.toString(), plan.time);
    if (occurrence.ends_at > now) found.push(occurrence);
  }
}

/** Returns how many weeks of a session that began long ago can be skipped: all but the last, which may not have ended yet. */
function weeksBefore({ date, time_zone, weekly }: LiveSessionPlan, now: Date): number {
  const days = Temporal.PlainDate.from(date).until(dayIn(time_zone, now)).days;
  return weekly ? Math.max(0, Math.floor(days / 7) - 1) : 0;
}

function dayIn(timeZone: string, time: Date): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
}

/**
 * Returns the occurrence on a day at a local time. A time that clocks skip is read with the offset before the change, an hour later by the
 * clock on the wall; one that they repeat means the first (RFC 5545, section 3.3.5).
 */
export function occurrenceOn(
  { time_zone, duration_minutes }: Pick<LiveSessionPlan, "time_zone" | "duration_minutes">,
  date: string,
  time: string,
): PlannedOccurrence {
  // Stryker disable next-line ObjectLiteral: the default, which is written for the reader.
  const start = Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(time_zone, { disambiguation: "compatible" });
  const end = start.add({ minutes: duration_minutes });
  return { date, starts_at: new Date(start.epochMilliseconds), ends_at: new Date(end.epochMilliseconds) };
}

/** Returns the day up to which a session is planned at `now`: half a year from then or from its first day, and not past its last. */
export function plannedUntil({ date, time_zone, weekly, ends_on }: LiveSessionPlan, now: Date): string {
  if (!weekly) return date;
  const today = dayIn(time_zone, now);
  const first = Temporal.PlainDate.from(date);
  // Stryker disable next-line Boundary: of equal days, either is the one.
  const begin = Temporal.PlainDate.compare(first, today) > 0 ? first : today;
  const horizon = begin.add({ weeks: plannedWeeks }).toString();
  // Stryker disable next-line LeftOperand,Boundary: null is less than no text, and of equal days either is the one.
  return ends_on !== null && ends_on < horizon ? ends_on : horizon;
}
