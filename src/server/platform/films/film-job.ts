import type { ProbedFilm } from "./probe.ts";

/** A film's file on disk and the type that its first bytes state; with `rewrittenPath`, the file to compare with its plan. */
export interface FilmJob {
  path: string;
  contentType: string;
  rewrittenPath: string | null;
}

/** The reply to a job: what was found, or the SHA-256 of the rewritten file, null when it is not what was planned. */
export type FilmReply = { kind: "probed"; film: ProbedFilm } | { kind: "compared"; sha256: Uint8Array | null };
