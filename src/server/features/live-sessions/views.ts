import type { LiveOccurrence, LiveSession } from "#domain/api/course/live-sessions";
import { hasLiveSessions, joinOpensAt } from "#domain/live-sessions/live-session";
import { canPlay, type Viewer } from "#domain/video-access";
import type { ListedOccurrence, ListedSession } from "./queries.ts";

/** Returns a session as one viewer sees it: its link is for the admin alone (LIVESESSION-3). */
export function liveSessionView(row: ListedSession, viewer: Viewer): LiveSession {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    date: row.date,
    time: row.time,
    time_zone: row.time_zone,
    duration_minutes: row.duration_minutes,
    weekly: row.weekly,
    ends_on: row.ends_on,
    next_starts_at: row.next_starts_at?.toISOString() ?? null,
    ...(viewer.role === "admin" && { join_url: row.join_url }),
  };
}

/** Returns an occurrence as one viewer sees it, never with its link. */
export function occurrenceView(row: ListedOccurrence, viewer: Viewer): LiveOccurrence {
  const { video_id, video_title, video_package } = row;
  const recording =
    video_id !== null && video_title !== null && video_package !== null
      ? { video_id, title: video_title, playable: canPlay(viewer, video_package) }
      : null;
  return {
    id: row.id,
    session_id: row.session_id,
    title: row.title,
    description: row.description,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    join_opens_at: joinOpensAt(row).toISOString(),
    weekly: row.weekly,
    time_zone: row.time_zone,
    moved: row.moved,
    cancelled: row.cancelled,
    included: hasLiveSessions(viewer),
    recording,
  };
}
