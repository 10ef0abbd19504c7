import { inject } from "vitest";
import { slipJob, type SlipJobParts } from "#server/features/payment-requests/slips/job";
import type { BackgroundJob } from "#server/platform/background-job";
import { openSlipReader } from "#server/platform/pictures/slip-reader";
import type { TestApp } from "../app.ts";

export interface TestSlipJob {
  job: BackgroundJob;
  /** What the operator's log would say. */
  errors: string[];
  close(): Promise<void>;
}

/** A process's job over an app's slips; it reads them when it is run. */
export function slipJobOf(app: TestApp, parts: Partial<SlipJobParts> = {}): TestSlipJob {
  const { db, clock, objects, changes } = app.deps;
  const slips = openSlipReader(inject("pictureWorker"));
  const errors: string[] = [];
  const onError = (what: string, error: unknown): void => void errors.push(`${what}: ${String(error)}`);
  const job = slipJob({ db, clock, objects, slips, changes, onError, ...parts });
  return {
    job,
    errors,
    async close() {
      await job.stop();
      await slips.close();
    },
  };
}
