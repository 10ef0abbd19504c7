import { availableParallelism } from "node:os";
import type { PerceptualFingerprint } from "#domain/payments/perceptual-fingerprint";
import { isSoundContainer } from "./container-check.ts";
import { isDecodable } from "./picture-decoder.ts";
import { JobError } from "../workers/job-error.ts";
import type { PictureJob, PictureReply } from "./picture-job.ts";
import { WorkerPool, type PoolSettings } from "../workers/worker-pool.ts";

/**
 * The result of reading an image file. `decoded`: an image. `sound`: its container is valid, of a format that is not decoded. `broken`:
 * not an image. `shape`: too large or too long to decode. `costly`: took too much time or memory. `unavailable`: unknown, since no
 * process was free in time.
 */
export type PictureFinding =
  | { kind: "decoded"; fingerprint: PerceptualFingerprint | null }
  | { kind: "sound" | "broken" | "shape" | "costly" | "unavailable" };

export interface PictureReader {
  /** Decodes an image in another process. Owners take turns. */
  read(ownerId: string, file: PictureJob): Promise<PictureFinding>;
  close(): Promise<void>;
}

const defaultSettings = {
  // One core stays for the requests.
  maxProcesses: Math.min(4, Math.max(1, availableParallelism() - 1)),
  maxWaiting: 256,
  maxWaitMs: 30_000,
  maxJobMs: 15_000,
  maxIdleMs: 30_000,
};

/** `script` is the built `picture-worker.ts`. No process is started before the first picture. */
export function openPictureReader(script: string, settings: Partial<PoolSettings> = {}): PictureReader {
  const pool = new WorkerPool<{ path: string; contentType: string }, PictureReply>({ ...defaultSettings, ...settings, script });
  let hasWarned = false;
  return {
    async read(ownerId, { path, contentType }) {
      if (!isDecodable(contentType)) return { kind: (await isSoundContainer(path, contentType)) ? "sound" : "broken" };
      const reply = await pool.run(ownerId, { path, contentType }).catch(findingOfFailure);
      if (reply.kind !== "no_decoder") return reply;
      // Payments must not fail because this machine cannot decode; identical files are still found.
      if (!hasWarned) process.emitWarning(`Copies of screenshots that were saved again are not found: ${reply.message}`);
      hasWarned = true;
      return { kind: "sound" };
    },
    close: () => pool.close(),
  };
}

function findingOfFailure(error: unknown): PictureFinding {
  if (!(error instanceof JobError)) throw error;
  const { reason } = error;
  if (reason === "crashed") return { kind: "broken" };
  return { kind: reason === "busy" || reason === "lost" ? "unavailable" : "costly" };
}
