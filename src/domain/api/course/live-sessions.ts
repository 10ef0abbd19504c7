import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { isTimeZone, sessionMinutes } from "../../live-sessions/live-session.ts";
import { code, id, idempotencyHeaders, line, pageOf, pageQuery, previewQuery, paragraphs, timestamp } from "../fields.ts";

const date = z.iso.date(code("date_invalid")).check(z.regex(/^2[01]/));
const time = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, code("time_invalid")));
/** Without its slashes a browser would take the address for a page of this site. */
const joinUrl = z.url({ protocol: /^https$/, error: code("join_url_invalid"), abort: true }).check(
  z.maxLength(2000),
  z.refine((url) => /^https:\/\//i.test(url), code("join_url_invalid")),
  // Phones begin a text with a capital, and the database takes lower case alone.
  z.overwrite((url) => url.replace(/^https/i, "https")),
);

const fields = {
  title: line(200, "title_missing"),
  description: paragraphs(5000, "description_missing"),
  join_url: joinUrl,
  /** The first day in the zone, or the only one, and the time of day there. */
  date,
  time,
  time_zone: z.string().check(z.maxLength(100), z.refine(isTimeZone, code("time_zone_invalid"))),
  duration_minutes: z
    .number()
    .check(
      z.int(),
      z.gte(sessionMinutes.shortest, code("duration_invalid")),
      z.lte(sessionMinutes.longest, code("duration_invalid")),
    ),
  weekly: z.boolean(),
  /** The last day of a weekly session. */
  ends_on: z.optional(z.nullable(date)),
};

export const NewLiveSession = z.object(fields);
export type NewLiveSession = z.infer<typeof NewLiveSession>;

export const LiveSessionChanges = z.partial(z.object(fields));
export type LiveSessionChanges = z.infer<typeof LiveSessionChanges>;

/** What the admin plans. */
export const LiveSession = z.object({
  id,
  title: z.string(),
  description: z.string(),
  date: z.string(),
  time: z.string(),
  time_zone: z.string(),
  duration_minutes: z.number(),
  weekly: z.boolean(),
  ends_on: z.nullable(z.string()),
  /** The start of the next occurrence that is not cancelled. */
  next_starts_at: z.nullable(timestamp),
  /** Only for the admin; students ask for it when they join (LIVESESSION-3). */
  join_url: z.optional(z.string()),
});
export type LiveSession = z.infer<typeof LiveSession>;

/** One time that a session takes place. */
export const LiveOccurrence = z.object({
  id,
  session_id: id,
  title: z.string(),
  description: z.string(),
  starts_at: timestamp,
  ends_at: timestamp,
  join_opens_at: timestamp,
  weekly: z.boolean(),
  /** Where the local time of the plan is. */
  time_zone: z.string(),
  moved: z.boolean(),
  cancelled: z.boolean(),
  /** Whether live sessions are part of the viewer's package. */
  included: z.boolean(),
  /** The lesson that was made of it. */
  recording: z.nullable(z.object({ video_id: id, title: z.string(), playable: z.boolean() })),
});
export type LiveOccurrence = z.infer<typeof LiveOccurrence>;

const OccurrenceChanges = z.partial(
  z.object({
    cancelled: z.boolean(),
    /** Another day and time in the session's zone; null for those of the plan. */
    moved_to: z.nullable(z.object({ date, time })),
    /** The lesson with the recording; null for none. */
    video_id: z.nullable(id),
  }),
);
export type OccurrenceChanges = z.infer<typeof OccurrenceChanges>;

/** Those that have not ended, those that have, and of these the ones with a recording. */
const occurrenceLists = ["coming", "past", "recorded"] as const;
export type OccurrenceList = (typeof occurrenceLists)[number];

const calendarLink = z.object({ url: z.string() });
const params = z.object({ id });

export const liveSessions = {
  list: oc
    .route({ method: "GET", path: "/api/live-sessions", summary: "Every live session that is planned, newest first" })
    .input(z.object(pageQuery))
    .output(pageOf(LiveSession)),
  create: oc
    .route({
      method: "POST",
      path: "/api/live-sessions",
      successStatus: 201,
      inputStructure: "detailed",
      summary: "Plan a live session",
    })
    .input(z.object({ headers: idempotencyHeaders, body: NewLiveSession }))
    .output(LiveSession),
  update: oc
    .route({ method: "PATCH", path: "/api/live-sessions/{id}", inputStructure: "detailed", summary: "Change a live session" })
    .input(z.object({ params, body: LiveSessionChanges }))
    .output(LiveSession),
  remove: oc
    .route({
      method: "DELETE",
      path: "/api/live-sessions/{id}",
      inputStructure: "detailed",
      summary: "Delete a live session with all its occurrences",
    })
    .input(z.object({ params }))
    .output(z.object({ deleted: z.literal(true) })),
  occurrences: oc
    .route({
      method: "GET",
      path: "/api/live-sessions/occurrences",
      summary: "Occurrences that have not ended, next first, or past or recorded ones, newest first",
    })
    .input(z.object({ ...pageQuery, ...previewQuery, when: z._default(z.enum(occurrenceLists), "coming") }))
    .output(z.extend(pageOf(LiveOccurrence), { now: timestamp })),
  changeOccurrence: oc
    .route({
      method: "PATCH",
      path: "/api/live-sessions/occurrences/{id}",
      inputStructure: "detailed",
      summary: "Cancel or move an occurrence, or name its recording",
    })
    .input(z.object({ params, body: OccurrenceChanges }))
    .output(LiveOccurrence),
  join: oc
    .route({
      method: "POST",
      path: "/api/live-sessions/occurrences/{id}/join",
      inputStructure: "detailed",
      summary: "The link to an occurrence that is open",
    })
    .input(z.object({ params }))
    .output(z.object({ url: z.string() })),
  calendarLink: oc
    .route({ method: "GET", path: "/api/live-sessions/calendar-link", summary: "The address of the caller's calendar" })
    .output(calendarLink),
  renewCalendarLink: oc
    .route({
      method: "POST",
      path: "/api/live-sessions/calendar-link",
      summary: "A new address of the caller's calendar, which ends the old one",
    })
    .output(calendarLink),
};
