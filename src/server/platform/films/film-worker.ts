// The process that reads films: their headers come from outside, and comparing gigabytes takes a core for many seconds.
import { constants, setPriority } from "node:os";
import type { WorkerMessage } from "../workers/worker-protocol.ts";
import { hashIfEqual } from "./compare.ts";
import { withFilmFile } from "./film-file.ts";
import type { FilmJob, FilmReply } from "./film-job.ts";
import { probeFilm } from "./probe.ts";

// A terminal's Ctrl-C reaches the whole group; the server drains first and ends this process itself.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit());
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

process.on("message", (job: FilmJob) => void run(job).then((reply) => send({ reply, isLast: false })));
send("ready");

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

function send(message: WorkerMessage<FilmReply>): void {
  process.send?.(message);
}
