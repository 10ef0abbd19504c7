import { playabilityOf, type FilmFacts } from "#domain/film";
import { findObject } from "../../../platform/storage/queries.ts";
import { FilmLostError, requireClaim, type FilmParts } from "./claimed-film.ts";
import { updateFilm, type FilmChanges, type FilmRow } from "./queries.ts";
import { canCompare, rewriteFilm } from "./rewrite.ts";

/**
 * Reads a claimed film, stores what is known of it (VIDEO-6), and rewrites an MP4 that plays but whose index stands at its end
 * (FILE-12) or is long (FILE-16). May be repeated at any point. Throws `FilmLostError`, `JobError`, `insufficient_storage`, and the reason of `stop`.
 */
export async function prepareFilm(parts: FilmParts, film: FilmRow, stop: AbortSignal): Promise<void> {
  const { db, objects, films } = parts;
  const object = await findObject(db, film.object_id);
  // Stryker disable next-line ConditionFalse,StringLiteral: any error says so, of a film that nobody has any more.
  if (object === undefined) throw new FilmLostError("The film's object is gone.");
  // Left by an attempt that was cut off. The claim has waited for its transaction, so no row refers to these bytes.
  if (film.rewriting_id !== null) await objects.remove(film.rewriting_id);
  // A rewrite that waits for room: until there is some, the film is not fetched again.
  if (film.playability !== null) await canCompare(parts, 2 * object.size);
  const { facts, rewrite } = await objects.withFile(object.id, (path) => films.probe(path, object.content_type));
  const read = columnsOf(facts);
  const isPlayable = read.playability === "starts_late" || read.playability === "plays";
  const plan = isPlayable && film.fragments_at === null ? rewrite : undefined;
  const changes = { ...read, rewriting_id: null, ...(plan === undefined ? { next_attempt_at: null } : {}) };
  requireClaim(await updateFilm(db, film, changes));
  if (plan !== undefined) await rewriteFilm(parts, film, object, plan, stop);
}

function columnsOf(facts: FilmFacts): FilmChanges {
  const { durationSeconds, width, height, videoCodecs, audioCodecs } = facts;
  return {
    playability: playabilityOf(facts),
    duration_seconds: durationSeconds === null ? null : Math.max(0.001, Math.round(durationSeconds * 1000) / 1000),
    width,
    height,
    codecs: [...videoCodecs, ...audioCodecs],
  };
}
