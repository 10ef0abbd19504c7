import { WorkerPool, type PoolSettings } from "../workers/worker-pool.ts";
import type { FilmJob, FilmReply } from "./film-job.ts";
import type { ProbedFilm } from "./probe.ts";

/** Reads films in another process. Both calls throw `JobError`. */
export interface FilmReader {
  /** Returns the facts that a film's file states, and how to write it anew. */
  probe(path: string, contentType: string): Promise<ProbedFilm>;
  /** Returns the SHA-256 of a rewritten film; undefined unless every byte is where the plan of its old file has it. */
  compare(path: string, contentType: string, rewrittenPath: string): Promise<Buffer | undefined>;
  close(): Promise<void>;
}

/** One film at a time of each kind of job. A header takes milliseconds to read; comparing 5 GB takes minutes on a slow disk. */
const probing = { maxProcesses: 1, maxWaiting: 16, maxWaitMs: 300_000, maxJobMs: 60_000, maxIdleMs: 30_000 };
const comparing = { ...probing, maxJobMs: 1_800_000 };

/** `script` is the built `film-worker.ts`. No process is started before the first film. */
export function openFilmReader(script: string): FilmReader {
  const open = (settings: Omit<PoolSettings, "script">) => new WorkerPool<FilmJob, FilmReply>({ ...settings, script });
  const pools = { probing: open(probing), comparing: open(comparing) };
  return {
    async probe(path, contentType) {
      const reply = await pools.probing.run("films", { path, contentType, rewrittenPath: null });
      if (reply.kind !== "probed") throw new Error("The film's process replied to another job.");
      return reply.film;
    },
    async compare(path, contentType, rewrittenPath) {
      const reply = await pools.comparing.run("films", { path, contentType, rewrittenPath });
      if (reply.kind !== "compared") throw new Error("The film's process replied to another job.");
      return reply.sha256 === null ? undefined : Buffer.from(reply.sha256);
    },
    async close() {
      await Promise.all([pools.probing.close(), pools.comparing.close()]);
    },
  };
}
