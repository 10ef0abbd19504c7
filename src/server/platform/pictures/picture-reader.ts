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

/** The poster made of an image, else why there is none; `unavailable` also where this machine cannot decode. */
export type PosterFinding = { kind: "encoded"; bytes: Uint8Array } | { kind: "broken" | "shape" | "costly" | "unavailable" };

type ImageFile = Omit<PictureJob, "makes">;

export interface PictureReader {
  /** Decodes an image in another process. Owners take turns. */
  read(ownerId: string, file: ImageFile): Promise<PictureFinding>;
  /** Decodes an image in another process and returns it as a small WebP file. */
  encodePoster(ownerId: string, file: ImageFile): Promise<PosterFinding>;
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
  const pool = new WorkerPool<PictureJob, PictureReply>({ ...defaultSettings, ...settings, script });
  let hasWarned = false;
  return {
    async read(ownerId, { path, contentType }) {
      if (!isDecodable(contentType)) return { kind: (await isSoundContainer(path, contentType)) ? "sound" : "broken" };
      const job = { path, contentType, makes: "fingerprint" } as const;
      const reply = await pool.run(ownerId, job).catch(findingOfFailure);
      if (reply.kind === "encoded" || reply.kind === "scanned") throw new Error("A fingerprint was asked for.");
      if (reply.kind !== "no_decoder") return reply;
      // Payments must not fail because this machine cannot decode; identical files are still found.
      if (!hasWarned) process.emitWarning(`Copies of screenshots that were saved again are not found: ${reply.message}`);
      hasWarned = true;
      return { kind: "sound" };
    },
    async encodePoster(ownerId, { path, contentType }) {
      if (!isDecodable(contentType)) return { kind: "broken" };
      const reply = await pool.run(ownerId, { path, contentType, makes: "poster" }).catch(findingOfFailure);
      if (reply.kind === "no_decoder") process.emitWarning(`Posters cannot be made: ${reply.message}`);
      if (reply.kind === "no_decoder" || reply.kind === "decoded" || reply.kind === "scanned") return { kind: "unavailable" };
      return reply;
    },
    close: () => pool.close(),
  };
}

function findingOfFailure(error: unknown): { kind: "broken" | "unavailable" | "costly" } {
  if (!(error instanceof JobError)) throw error;
  const { reason } = error;
  if (reason === "crashed") return { kind: "broken" };
  return { kind: reason === "busy" || reason === "lost" ? "unavailable" : "costly" };
}
