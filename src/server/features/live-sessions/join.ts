import { ProductError } from "#domain/errors/messages";
import { hasLiveSessions, isJoinOpen } from "#domain/live-sessions/live-session";
import type { Dependencies } from "../../dependencies.ts";
import type { Principal } from "../../platform/http/access.ts";
import type { Limit } from "../../platform/http/rate-limit.ts";
import { findOccurrence } from "./queries.ts";

const joinLimit: Limit = { name: "live-session-join", points: 60, seconds: 600 };

/**
 * Returns the link to an occurrence for an Advanced student or the admin, from 15 minutes before its start until its end (LIVESESSION-3).
 * Throws `live_session_locked`, `live_session_not_found`, `live_session_closed` and `too_many_requests`.
 */
export async function joinOccurrence(deps: Dependencies, viewer: Principal, id: string): Promise<string> {
  if (!hasLiveSessions(viewer)) throw new ProductError("live_session_locked");
  await deps.limits.consume(joinLimit, viewer.id);
  const occurrence = await findOccurrence(deps.db, id);
  if (!occurrence) throw new ProductError("live_session_not_found");
  if (occurrence.cancelled || !isJoinOpen(occurrence, deps.clock.now())) throw new ProductError("live_session_closed");
  return occurrence.join_url;
}
