import { inject } from "vitest";
import { slipJob, type SlipJobParts } from "#server/features/payment-requests/slips/job";
import { openSlipReader } from "#server/platform/pictures/slip-reader";
import type { TestApp } from "../app.ts";
import { testJob, type TestJob } from "../background-job.ts";

/** A process's job over an app's slips; it reads them when it is run. */
export function slipJobOf(app: TestApp, parts: Partial<SlipJobParts> = {}): TestJob {
  const slips = openSlipReader(inject("pictureWorker"), { maxJobMs: 300_000 });
  return testJob(slips, (onError) => slipJob({ ...app.deps, slips, onError, ...parts }));
}
