import type { SlipCode } from "#domain/payment-methods/thai-bank/slip-code";
import { JobError } from "../workers/job-error.ts";
import { WorkerPool, type PoolSettings } from "../workers/worker-pool.ts";
import { isDecodable } from "./picture-decoder.ts";
import type { PictureJob, PictureReply } from "./picture-job.ts";

/** The codes of the transfer slips on a picture, none where it has none. `unreadable`: not decoded here, or too costly; it would be again. */
export type SlipFinding = { kind: "scanned"; codes: SlipCode[] } | { kind: "unreadable" };

export interface SlipReader {
  /** Looks for the codes of slips in another process. Throws `JobError` when that process could not do its work, which may be repeated. */
  scan(file: Omit<PictureJob, "makes">): Promise<SlipFinding>;
  close(): Promise<void>;
}

/** Longer than for an upload, since nobody waits; the process itself stops looking after some seconds of a core. */
const defaultSettings = { maxProcesses: 1, maxWaiting: 16, maxWaitMs: 120_000, maxJobMs: 60_000, maxIdleMs: 30_000 };

/** `script` is the built `picture-worker.ts`: a process beside those for uploads, so that these never wait for a slip. */
export function openSlipReader(script: string, settings: Partial<PoolSettings> = {}): SlipReader {
  const pool = new WorkerPool<PictureJob, PictureReply>({ ...defaultSettings, ...settings, script });
  return {
    async scan({ path, contentType }) {
      if (!isDecodable(contentType)) return { kind: "unreadable" };
      try {
        const reply = await pool.run("slips", { path, contentType, makes: "slip" });
        return reply.kind === "scanned" ? reply : { kind: "unreadable" };
      } catch (error) {
        const mayRepeat = !(error instanceof JobError) || error.reason === "busy" || error.reason === "lost";
        if (mayRepeat) throw error;
        return { kind: "unreadable" };
      }
    },
    close: () => pool.close(),
  };
}
