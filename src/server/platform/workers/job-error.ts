/**
 * Why a job has no result. `busy`: it never began. `lost`: its process ended for a reason that is not the job's. The others are caused by
 * the job and would happen again: `timeout`, `memory`, and `crashed`.
 */
export type JobFailure = "busy" | "lost" | "timeout" | "memory" | "crashed";

export class JobError extends Error {
  readonly reason: JobFailure;

  constructor(reason: JobFailure) {
    super(`The job in another process failed: ${reason}.`);
    this.name = "JobError";
    this.reason = reason;
  }
}
