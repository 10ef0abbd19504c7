import { ProductError } from "#domain/errors/messages";
import { secondsAfter } from "../../../platform/clock.ts";
import { isDiskFull } from "../../../platform/http/errors.ts";
import type { ChangeFeed } from "../../../platform/realtime/changes.ts";
import { FilmLostError, requireClaim, type FilmParts } from "./claimed-film.ts";
import { prepareFilm } from "./prepare.ts";
import { claimFilm, giveUpFilm, renewLease, updateFilm, type FilmRow } from "./queries.ts";

/** Seconds that a lease of a film lasts, and between two renewals of it. */
const leaseSeconds = 120;
const renewEverySeconds = 30;

/** Seconds until the next attempt: doubled after each, up to an hour. */
const firstWaitSeconds = 30;
const longestWaitSeconds = 3600;

/** A film that failed this often is left as it is. A full disk is waited out for as long as it takes. */
const maxFailures = 8;

/** Looks for films whose wait is over, or whose process was killed. */
const pollMs = 15_000;

export interface FilmJobParts extends FilmParts {
  changes: Pick<ChangeFeed, "subscribe">;
  onError: (what: string, error: unknown) => void;
}

/** Prepares films one after another: of all processes, one has a film at a time (VIDEO-6, FILE-12). */
export class FilmJob {
  readonly #parts: FilmJobParts;
  readonly #stop = new AbortController();
  readonly #unsubscribe: () => void;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> = Promise.resolve();
  #isQueued = false;

  constructor(parts: FilmJobParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.changes.subscribe(({ topic }) => {
      if (topic === "film" || topic === "gap") void this.run();
    });
    this.#timer = setInterval(() => void this.run(), pollMs).unref();
  }

  /** Prepares every film that is due. Resolves when none is left, or after a failure of the database. */
  run(): Promise<void> {
    // A run may miss a film that came while it ended, so one more is queued; a third would find nothing.
    if (this.#isQueued) return this.#running;
    this.#isQueued = true;
    this.#running = this.#running.then(async () => {
      this.#isQueued = false;
      await this.#prepareAll().catch((error: unknown) => this.#parts.onError("Films wait", error));
    });
    return this.#running;
  }

  /** Interrupts a film that is being copied, which goes on after the next start. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error("The process stops."));
    this.#unsubscribe();
    clearInterval(this.#timer);
    await this.#running;
  }

  async #prepareAll(): Promise<void> {
    const { db, clock } = this.#parts;
    while (!this.#stop.signal.aborted) {
      const now = clock.steady();
      const film = await claimFilm(db, { now, leaseEnd: secondsAfter(now, leaseSeconds) });
      if (film === undefined) return;
      await this.#prepare(film);
    }
  }

  async #prepare(film: FilmRow): Promise<void> {
    const { db, clock } = this.#parts;
    const lost = new AbortController();
    const renew = async (): Promise<void> =>
      requireClaim(await renewLease(db, film, secondsAfter(clock.steady(), leaseSeconds)));
    const timer = setInterval(() => {
      renew().catch((error: unknown) => {
        // An outage may pass before the lease ends; a lost lease is final.
        if (error instanceof FilmLostError) lost.abort(error);
      });
    }, renewEverySeconds * 1000).unref();
    try {
      await prepareFilm(this.#parts, film, AbortSignal.any([this.#stop.signal, lost.signal]));
    } catch (error) {
      if (!(error instanceof FilmLostError)) await this.#fail(film, error);
    } finally {
      clearInterval(timer);
    }
  }

  async #fail(film: FilmRow, error: unknown): Promise<void> {
    const isHeld = await this.#recordFailure(film, error);
    // A failure because another process has the film by now is no error.
    if (isHeld && !this.#stop.signal.aborted) this.#parts.onError(`Film ${film.object_id} could not be prepared`, error);
  }

  async #recordFailure(film: FilmRow, error: unknown): Promise<boolean> {
    const { db, clock } = this.#parts;
    const now = clock.steady();
    if (this.#stop.signal.aborted) return updateFilm(db, film, { next_attempt_at: now });
    const isFull = isDiskFull(error) || (error instanceof ProductError && error.code === "insufficient_storage");
    const failures = isFull ? film.failures : film.failures + 1;
    if (failures >= maxFailures) return giveUpFilm(db, film);
    const wait = Math.min(firstWaitSeconds * 2 ** (film.attempts - 1), longestWaitSeconds);
    return updateFilm(db, film, { failures, next_attempt_at: secondsAfter(now, wait) });
  }
}

/** Starts with the films that were uploaded before, and wakes with every new one. */
export function startFilmJob(parts: FilmJobParts): FilmJob {
  const job = new FilmJob(parts);
  void job.run();
  return job;
}
