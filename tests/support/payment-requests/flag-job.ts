import { flagJob, type FlagJobParts } from "#server/features/payment-requests/flags/job";
import type { BackgroundJob } from "#server/platform/background-job";
import type { TestApp } from "../app.ts";

/** Returns a process's job over an app's flags; it checks them when it is run, and its faults fail the test. */
export function flagJobOf(app: TestApp, parts: Partial<FlagJobParts> = {}): BackgroundJob {
  const onError = (what: string, error: unknown): void => {
    throw new Error(what, { cause: error });
  };
  return flagJob({ ...app.deps, onError, ...parts });
}
