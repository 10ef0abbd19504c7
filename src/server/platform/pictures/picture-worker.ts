// The process that decodes pictures from strangers: started by the worker pool, killed by it when it hangs.
import { constants, setPriority } from "node:os";
import type { PictureJob, PictureReply } from "./picture-job.ts";
import { decodePicture, loadSharp } from "./picture-decoder.ts";
import { serveJobs } from "../workers/serve-jobs.ts";
import { memoryExitCode } from "../workers/worker-protocol.ts";

/** Resident bytes at which a job is cancelled: a 100-megapixel photo takes 150 MB, a progressive one 400 MB. */
const maxJobBytes = 640 * 1024 ** 2;

/** Resident bytes above which the process ends after a job: the allocator does not return a large picture's memory. */
const maxKeptBytes = 160 * 1024 ** 2;

const memoryCheckMs = 20;

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const loading = loadSharp().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));

// The decoder runs on a thread of its own, so this timer fires while it allocates.
setInterval(() => {
  if (process.memoryUsage.rss() > maxJobBytes) process.exit(memoryExitCode);
}, memoryCheckMs).unref();

await serveJobs(replyTo, { isLast, loading });

async function replyTo(job: PictureJob): Promise<PictureReply> {
  const sharp = await loading;
  return sharp instanceof Error ? { kind: "no_decoder", message: sharp.message } : decodePicture(sharp, job);
}

function isLast(job: PictureJob, reply: PictureReply): boolean {
  // WebAssembly that failed may be left in any state.
  const isSpoiled = job.makes === "slip" && reply.kind === "broken";
  return isSpoiled || process.memoryUsage.rss() > maxKeptBytes;
}
