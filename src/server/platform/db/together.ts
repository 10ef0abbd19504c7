import { causesOf } from "./unavailable.ts";

/** Of statements that PostgreSQL refuses because one before them failed. */
const failedTransaction = "25P02";

/**
 * Returns the results of actions that run at the same time. Those on one connection send their statements one behind the other without waiting
 * for the replies. Actions that begin with a `prepared` query send it in the order given, so that a later one sees what an earlier one locked or
 * wrote; for other statements no order is promised, so what must come first is awaited before. Waits until every action has ended, so that none
 * runs on behind a rollback, then throws the error of the first that failed, in the order given: not of one that failed because of another.
 */
export async function together<Results extends readonly unknown[]>(
  ...actions: { [Index in keyof Results]: Promise<Results[Index]> }
): Promise<Results> {
  const ends = await Promise.allSettled(actions);
  const failures = ends.filter((end) => end.status === "rejected");
  const [failure] = failures;
  if (failure) throw (failures.find((one) => !isConsequence(one.reason)) ?? failure).reason;
  return ends.map((end) => (end as PromiseFulfilledResult<unknown>).value) as unknown as Results;
}

function isConsequence(error: unknown): boolean {
  return causesOf(error).some(({ code }) => code === failedTransaction);
}
