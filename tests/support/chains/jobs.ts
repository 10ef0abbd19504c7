import { chainJobs } from "#server/features/payment-requests/service";
import type { TestApp } from "../app.ts";

/** Runs the lookups that are due, as a process of the site does by itself; returns what its log would say. */
export async function lookUpDue(app: TestApp): Promise<string[]> {
  const errors: string[] = [];
  const onError = (what: string, error: unknown): void => void errors.push(`${what}: ${String(error)}`);
  for (const job of chainJobs({ ...app.deps, onError })) {
    await job.run();
    await job.stop();
  }
  return errors;
}

/** Returns the chain's evidence of a request, as the admin sees it. */
export async function chainEvidenceOf(operator: { call: any }, id: string): Promise<any> {
  const { body } = await operator.call("GET", `/api/payment-requests/${id}`);
  return body.evidence.find(({ kind }: { kind: string }) => kind === "chain");
}
