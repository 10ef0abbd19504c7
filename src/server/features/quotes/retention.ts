import { secondsAfter } from "../../platform/clock.ts";
import type { Removal } from "../../platform/retention/job.ts";
import { retentionSeconds } from "../../platform/retention/periods.ts";
import { deleteAmountsEndedBefore } from "./own-amounts/queries.ts";

/** Amounts of quotes that a late payer can no longer claim. */
export const quoteRemovals: readonly Removal[] = [
  {
    name: "own amounts",
    remove: (connection, now, limit) =>
      deleteAmountsEndedBefore(connection, secondsAfter(now, -retentionSeconds.endedQuotes), limit),
  },
];
