// The process that reads films: their headers come from outside, and comparing gigabytes takes a core for many seconds.
import { constants, setPriority } from "node:os";
import { serveJobs } from "../workers/serve-jobs.ts";
import { hashIfEqual } from "./compare.ts";
import { withFilmFile } from "./film-file.ts";
import type { FilmJob, FilmReply } from "./film-job.ts";
import { probeFilm } from "./probe.ts";

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

await serveJobs(run);

/** A failure to read ends the process, which fails the job. */
function run({ path, contentType, rewrittenPath }: FilmJob): Promise<FilmReply> {
  return withFilmFile(path, async (file) => {
    const film = await probeFilm(file, contentType);
    if (rewrittenPath === null) return { kind: "probed", film };
    const { rewrite } = film;
    const sha256 = rewrite && (await withFilmFile(rewrittenPath, (rewritten) => hashIfEqual(file, rewritten, rewrite)));
    return { kind: "compared", sha256: sha256 ?? null };
  });
}
