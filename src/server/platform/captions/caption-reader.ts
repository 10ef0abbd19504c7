import { ProductError, type ErrorCode } from "#domain/errors/messages";
import { JobError } from "../workers/job-error.ts";
import { WorkerPool, type PoolSettings } from "../workers/worker-pool.ts";

/** The reply to the bytes of a file: the WebVTT file made of it, or the refusal. */
export type CaptionReply = { bytes: Uint8Array } | { code: ErrorCode; text: string };

export interface CaptionReader {
  /**
   * Returns captions as the WebVTT file that is stored for them (FILE-13), made in another process. Throws `captions_encoding`, what
   * `parseCaptions` throws, and `unavailable` when the process fails or takes too long.
   */
  toWebVtt(file: Uint8Array): Promise<Buffer>;
  close(): Promise<void>;
}

/** The largest file takes a fifth of a second; more than one admin rarely waits. */
const defaultSettings = { maxProcesses: 1, maxWaiting: 32, maxWaitMs: 30_000, maxJobMs: 15_000, maxIdleMs: 30_000 };

/** `script` is the built `caption-worker.ts`. No process is started before the first captions. */
export function openCaptionReader(script: string, settings: Partial<PoolSettings> = {}): CaptionReader {
  const pool = new WorkerPool<Uint8Array, CaptionReply>({ ...defaultSettings, ...settings, script });
  return {
    async toWebVtt(file) {
      const reply = await pool.run("captions", file).catch((error: unknown) => {
        if (!(error instanceof JobError)) throw error;
        throw new ProductError("unavailable", { retryAfter: 10, cause: error });
      });
      if ("code" in reply) throw new ProductError(reply.code, { text: reply.text });
      return Buffer.from(reply.bytes);
    },
    close: () => pool.close(),
  };
}
