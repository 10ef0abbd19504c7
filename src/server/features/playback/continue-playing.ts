import { clockToleranceSeconds } from "#domain/clock-tolerance";
import { ProductError } from "#domain/errors/messages";
import { idleSeconds, signSeconds } from "#domain/playback/devices";
import type { Dependencies } from "../../dependencies.ts";
import { secondsAfter } from "../../platform/clock.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as queries from "./queries.ts";
import { playingSince } from "./start-playing.ts";

/** A session that goes on playing, with what `playing_sessions` has of it; null without a row. */
export interface PlayingSession {
  accountId: string;
  sessionId: string;
  playedAt: Date | null;
  displacedAt: Date | null;
}

/**
 * Takes a request for a part of a film as a sign of playing, which is written every half minute at most. A session that has paused
 * (DEVICE-2) plays again if fewer than `MAX_DEVICES` others do. A mere check of the link takes no place. Throws `playing_elsewhere` for a
 * displaced one (DEVICE-1), until it asks to play again.
 */
export async function continuePlaying(deps: Dependencies, session: PlayingSession, isCheck: boolean): Promise<void> {
  if (deps.config.playback.maxDevices === 0) return;
  const { sessionId, playedAt, displacedAt } = session;
  const now = deps.clock.now();
  if (displacedAt !== null) throw new ProductError("playing_elsewhere");
  if (isCheck) return;
  try {
    if (!countsAsPlaying(playedAt, now)) return await resumePlaying(deps, session, now);
    // Stryker disable next-line ConditionTrue,UnaryOperator: saves a statement that would write nothing.
    if (playedAt <= secondsAfter(now, -signSeconds)) await notePlaying(deps, sessionId);
  } catch (error) {
    // What cannot be written, as while the database is read-only, must not stop a film.
    if (error instanceof ProductError) throw error;
  }
}

/** A sign that lies further ahead than another process's clock may be is of a clock that was wrong. */
function countsAsPlaying(playedAt: Date | null, now: Date): playedAt is Date {
  // Stryker disable next-line ConditionFalse: null is later than no time.
  if (playedAt === null) return false;
  return playedAt > secondsAfter(now, -idleSeconds) && playedAt <= secondsAfter(now, clockToleranceSeconds);
}

/** Records a session's call as a sign of playing (DEVICE-2): a buffered film reads no ranges for a long time. */
export async function notePlaying(deps: Dependencies, sessionId: string): Promise<void> {
  const now = deps.clock.now();
  const times = { at: now, signBefore: secondsAfter(now, -signSeconds), playedAfter: secondsAfter(now, -idleSeconds) };
  await queries.updatePlayed(deps.db, sessionId, times);
}

async function resumePlaying(deps: Dependencies, { accountId, sessionId }: PlayingSession, now: Date): Promise<void> {
  const isDisplaced = await transaction(deps.db, async (tx) => {
    // Stryker disable next-line ConditionFalse: without its account it has no session, for which nothing is written.
    if (!(await queries.lockAccount(tx, accountId))) return false;
    const others = await queries.findAllOthersPlaying(tx, playingSince(accountId, sessionId, now));
    const isFull = others.length >= deps.config.playback.maxDevices;
    const row = { session_id: sessionId, account_id: accountId, played_at: now, displaced_at: isFull ? now : null };
    await queries.upsertPlaying(tx, row);
    return isFull;
  });
  if (isDisplaced) throw new ProductError("playing_elsewhere");
}
