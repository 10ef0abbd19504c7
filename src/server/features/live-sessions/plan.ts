import { comingOccurrences, plannedUntil } from "#domain/live-sessions/occurrences";
import type { Transaction } from "../../platform/db/database.ts";
import * as queries from "./queries.ts";

/**
 * Plans the occurrences of a locked session that have not begun, half a year ahead; what has begun or was moved individually stays as it was
 * (LIVESESSION-2). Returns whether a planned one has not ended, or one that was moved has not begun.
 */
export async function planOccurrences(tx: Transaction, session: queries.LiveSessionRow, now: Date): Promise<boolean> {
  const coming = comingOccurrences(session, now);
  await queries.deleteUnplanned(
    tx,
    session.id,
    coming.map(({ date }) => date),
    now,
  );
  await queries.upsertOccurrences(tx, session.id, coming, now);
  await queries.updatePlannedUntil(tx, session.id, plannedUntil(session, now));
  return queries.existsComing(tx, session.id, coming, now);
}
