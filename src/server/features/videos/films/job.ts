import { BackgroundJob, retryWaitSeconds, type JobParts } from "../../../platform/background-job.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import { breaksConnection } from "../../../platform/db/unavailable.ts";
import { isOutage } from "../../../platform/storage/outage.ts";
import { FilmLostError, requireClaim, type FilmParts } from "./claimed-film.ts";
import { prepareFilm } from "./prepare.ts";
import { claimFilm, giveUpFilm, updateFilm, type FilmRow } from "./queries.ts";

/** Seconds that a lease of a film lasts, and between two renewals of it. */
const leaseSeconds = 120;
const renewEverySeconds = 30;

/** A film that failed this often is left as it is. A full disk and a store that is away are waited out for as long as it takes. */
const maxFailures = 8;

/** Looks for films whose wait is over, or whose process was killed. */
const pollMs = 15_000;

export type FilmJobParts = FilmParts & JobParts;

/**
 * Prepares films one after another: of all processes, one has a film at a time (VIDEO-6, FILE-12). A stop interrupts a film that is being
 * copied, which goes on after the next start.
 */
export function filmJob(parts: FilmJobParts): BackgroundJob {
  const { changes, onError } = parts;
  const tasks = [{ failure: "Films wait", run: (stop: AbortSignal) => prepareAll(parts, stop) }];
  return new BackgroundJob({ changes, onError, topic: "film", pollMs, tasks });
}

async function prepareAll(parts: FilmJobParts, stop: AbortSignal): Promise<void> {
  const { db, clock } = parts;
  while (!stop.aborted) {
    const now = clock.steady();
    const film = await claimFilm(db, { now, leaseEnd: secondsAfter(now, leaseSeconds) });
    if (film === undefined) return;
    await prepareClaimed(parts, film, stop);
  }
}

async function prepareClaimed(parts: FilmJobParts, film: FilmRow, stop: AbortSignal): Promise<void> {
  const { db, clock } = parts;
  const lost = new AbortController();
  const renew = async (): Promise<void> =>
    requireClaim(await updateFilm(db, film, { next_attempt_at: secondsAfter(clock.steady(), leaseSeconds) }));
  const timer = setInterval(() => {
    renew().catch((error: unknown) => {
      // An outage may pass before the lease ends; a lost lease is final.
      if (error instanceof FilmLostError) lost.abort(error);
    });
  }, renewEverySeconds * 1000).unref();
  try {
    await prepareFilm(parts, film, AbortSignal.any([stop, lost.signal]));
  } catch (error) {
    await fail(parts, film, error, stop);
  } finally {
    clearInterval(timer);
  }
}

async function fail(parts: FilmJobParts, film: FilmRow, error: unknown, stop: AbortSignal): Promise<void> {
  const isHeld = await recordFailure(parts, film, error, stop);
  // A failure because another process has the film by now is no error.
  if (isHeld && !stop.aborted) parts.onError(`Film ${film.object_id} could not be prepared`, error);
}

async function recordFailure(parts: FilmJobParts, film: FilmRow, error: unknown, stop: AbortSignal): Promise<boolean> {
  const { db, clock, objects } = parts;
  const now = clock.steady();
  if (stop.aborted) return updateFilm(db, film, { next_attempt_at: now });
  const isNoFaultOfIt = breaksConnection(error) || (await isOutage(error, objects));
  const failures = isNoFaultOfIt ? film.failures : film.failures + 1;
  if (failures >= maxFailures) return giveUpFilm(db, film);
  return updateFilm(db, film, { failures, next_attempt_at: secondsAfter(now, retryWaitSeconds(film.attempts)) });
}
