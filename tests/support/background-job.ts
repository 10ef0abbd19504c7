import type { BackgroundJob, JobParts } from "#server/platform/background-job";

export interface TestJob {
  job: BackgroundJob;
  /** What the operator's log would say. */
  errors: string[];
  close(): Promise<void>;
}

/** A process's job that works when it is run; `close` stops it and then the reader that it uses. */
export function testJob(reader: { close(): Promise<void> }, make: (onError: JobParts["onError"]) => BackgroundJob): TestJob {
  const errors: string[] = [];
  const job = make((what, error) => void errors.push(`${what}: ${String(error)}`));
  return {
    job,
    errors,
    async close() {
      await job.stop();
      await reader.close();
    },
  };
}
