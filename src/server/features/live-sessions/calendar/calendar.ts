import icalendar, { ICalCalendarMethod, ICalEventStatus } from "ical-generator";
import type { CalendarEntry } from "./queries.ts";

/** Seconds after which programs that subscribed may read the calendar again. */
export const refreshSeconds = 3600;

export interface CalendarSite {
  name: string;
  /** Where a session is joined. */
  dashboardUrl: string;
}

/**
 * Returns occurrences as a calendar (RFC 5545), each an event of its own with times in UTC: moved and cancelled ones need no exception to a
 * rule, and no program has to know the time zone (LIVESESSION-5). It never has the link to join, because calendars are shared.
 */
export function calendarText({ name, dashboardUrl }: CalendarSite, entries: readonly CalendarEntry[]): string {
  const calendar = icalendar({
    // The library escapes every text but this one.
    name: escapeText(`${name} live sessions`),
    prodId: { company: "Pipwright", product: "Live sessions" },
    method: ICalCalendarMethod.PUBLISH,
    ttl: refreshSeconds,
  });
  for (const { id, title, description, starts_at, ends_at, cancelled, sequence, created_at, updated_at } of entries) {
    calendar.createEvent({
      id,
      sequence,
      start: starts_at,
      end: ends_at,
      summary: cancelled ? `Cancelled: ${title}` : title,
      description: `${withoutControls(description)}\n\nJoin from your dashboard: ${dashboardUrl}`,
      url: dashboardUrl,
      status: cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      stamp: updated_at,
      created: created_at,
      lastModified: updated_at,
    });
  }
  return calendar.toString();
}

/** RFC 5545, section 3.3.11. */
const escapeText = (text: string): string => text.replace(/[\\;,]/g, "\\$&");

/** Of all control characters a text may have line breaks and tabs. */
const withoutControls = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, "");
