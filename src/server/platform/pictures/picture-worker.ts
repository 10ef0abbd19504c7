// The process that decodes pictures from strangers: started by the worker pool, killed by it when it hangs.
import { constants, setPriority } from "node:os";
import type { PictureJob, PictureReply } from "./picture-job.ts";
import { decodePicture, loadSharp } from "./picture-decoder.ts";
import { memoryExitCode, type WorkerMessage } from "../workers/worker-protocol.ts";

/** Resident bytes at which a job is cancelled: a 100-megapixel photo takes 150 MB, a progressive one 400 MB. */
const maxJobBytes = 640 * 1024 ** 2;

/** Resident bytes above which the process ends after a job: the allocator does not return a large picture's memory. */
const maxKeptBytes = 160 * 1024 ** 2;

const memoryCheckMs = 20;

// A terminal's Ctrl-C reaches the whole group; the server drains first and ends this process itself.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit());
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const sharp = await loadSharp().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));

// The decoder runs on a thread of its own, so this timer fires while it allocates.
setInterval(() => {
  if (process.memoryUsage.rss() > maxJobBytes) process.exit(memoryExitCode);
}, memoryCheckMs).unref();

process.on("message", (job: PictureJob) => void reply(job));
send("ready");

async function reply(job: PictureJob): Promise<void> {
  const found: PictureReply =
    sharp instanceof Error ? { kind: "no_decoder", message: sharp.message } : await decodePicture(sharp, job);
  // WebAssembly that failed may be left in any state.
  const isSpoiled = job.makes === "slip" && found.kind === "broken";
  send({ reply: found, isLast: isSpoiled || process.memoryUsage.rss() > maxKeptBytes });
}

function send(message: WorkerMessage<PictureReply>): void {
  process.send?.(message);
}
