import { ProductError } from "#domain/errors/messages";
import { JobError } from "../workers/job-error.ts";
import { WorkerPool } from "../workers/worker-pool.ts";

/** A password, and the words of its owner that a guesser would try first. */
export interface PasswordJob {
  password: string;
  own: readonly string[];
}

export interface PasswordChecker {
  /** Returns whether a guesser finds a password early (ACCOUNT-4). Throws `unavailable` when it cannot be found out in time. */
  isGuessable(password: string, own: readonly string[]): Promise<boolean>;
  close(): Promise<void>;
}

const settings = { maxProcesses: 1, maxWaiting: 100, maxWaitMs: 10_000, maxJobMs: 15_000, maxIdleMs: 30_000 };

/** `script` is the built `password-worker.ts`. No process is started before the first password. */
export function openPasswordChecker(script: string): PasswordChecker {
  const pool = new WorkerPool<{ password: string; own: string[] }, boolean>({ ...settings, script });
  return {
    async isGuessable(password, own) {
      try {
        return await pool.run("passwords", { password, own: [...own] });
      } catch (error) {
        if (!(error instanceof JobError)) throw error;
        throw new ProductError("unavailable", { retryAfter: 5, cause: error });
      }
    },
    close: () => pool.close(),
  };
}
