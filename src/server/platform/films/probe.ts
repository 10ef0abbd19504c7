import type { FilmContainer, FilmFacts } from "#domain/film";
import type { FilmFile } from "./film-file.ts";
import { endOfFragments } from "./mp4/fragments.ts";
import { everyOffset } from "./mp4/fast-start.ts";
import { hasLateIndex, readLayout, type Layout } from "./mp4/layout.ts";
import type { Movie } from "./mp4/movie.ts";
import { planRewrite, type RewritePlan } from "./mp4/rewrite-plan.ts";
import { readWebm } from "./webm.ts";

/** The types of `videoType` whose inside is read. */
const containers: Record<string, FilmContainer> = {
  "video/mp4": "mp4",
  "video/quicktime": "quicktime",
  "video/webm": "webm",
  "video/x-matroska": "matroska",
};

/** The largest plausible duration and picture size. */
const maxSeconds = 7 * 24 * 3600;
const maxPixels = 32_768;

export interface ProbedFilm {
  facts: FilmFacts;
  /** How to write an MP4 anew, so that it begins at once; undefined where it does, or the file is left as it is. */
  rewrite: RewritePlan | undefined;
}

/** Reads the facts that a film's file states: headers only, bounded by constants. Never throws for malformed content. */
export async function probeFilm(file: FilmFile, contentType: string): Promise<ProbedFilm> {
  const container = containers[contentType] ?? "other";
  if (container === "mp4" || container === "quicktime") return probeMp4(file, container);
  const header = container === "other" ? undefined : await readWebm(file);
  if (header === undefined) return { facts: { ...unknown, container, isDamaged: container !== "other" }, rewrite: undefined };
  return { facts: plausible({ ...unknown, ...header, container }), rewrite: undefined };
}

const unknown: FilmFacts = {
  container: "other",
  durationSeconds: null,
  width: null,
  height: null,
  videoCodecs: [],
  audioCodecs: [],
  isEncrypted: false,
  isDamaged: false,
  hasLateIndex: false,
};

async function probeMp4(file: FilmFile, container: "mp4" | "quicktime"): Promise<ProbedFilm> {
  const layout = await readLayout(file);
  if (layout.index === undefined) return { facts: { ...unknown, container, isDamaged: true }, rewrite: undefined };
  const { movie, bytes } = layout.index;
  const isInFile = (offset: number): boolean => offset <= file.size;
  const codecsOf = (kind: "video" | "audio"): string[] =>
    movie.tracks.filter((track) => track.kind === kind).flatMap(({ entries }) => entries.slice(0, 1).map(({ codec }) => codec));
  const picture = movie.tracks.find(({ kind }) => kind === "video");
  const facts: FilmFacts = {
    container,
    durationSeconds: movie.isFragmented ? await fragmentedDuration(file, layout, movie) : movie.durationSeconds,
    width: picture?.width ?? null,
    height: picture?.height ?? null,
    videoCodecs: codecsOf("video"),
    audioCodecs: codecsOf("audio"),
    isEncrypted: movie.tracks.some(({ entries }) => entries.some(({ isEncrypted }) => isEncrypted)),
    isDamaged:
      layout.isTruncated ||
      !layout.boxes.some(({ type }) => type === "mdat") ||
      !movie.tables.every((table) => everyOffset(bytes, table, isInFile)),
    hasLateIndex: hasLateIndex(layout),
  };
  return { facts: plausible(facts), rewrite: container === "mp4" ? planRewrite(layout) : undefined };
}

/** Returns the longer plausible length of index and fragments: an index may state that of the first part only. */
async function fragmentedDuration(file: FilmFile, layout: Layout, movie: Movie): Promise<number | null> {
  // The last fragments are not known.
  if (layout.isCut) return null;
  const stated = plausibleDuration(movie.durationSeconds);
  const end = plausibleDuration(await endOfFragments(file, layout, movie));
  return stated === null || end === null ? (stated ?? end) : Math.max(stated, end);
}

function plausibleDuration(duration: number | null): number | null {
  return duration !== null && duration <= maxSeconds ? duration : null;
}

/** Returns facts without implausible numbers. */
function plausible(facts: FilmFacts): FilmFacts {
  const { width, height } = facts;
  const isPicture = width !== null && height !== null && Math.min(width, height) > 0 && Math.max(width, height) <= maxPixels;
  return {
    ...facts,
    durationSeconds: plausibleDuration(facts.durationSeconds),
    width: isPicture ? width : null,
    height: isPicture ? height : null,
  };
}
