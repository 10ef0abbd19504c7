import { secondsAfter } from "../clock.ts";
import type { Removal } from "../retention/job.ts";
import { retentionSeconds } from "../retention/periods.ts";
import * as queries from "./queries.ts";

/** Mails that were sent, dropped or given up; those that still wait stay. */
export const mailRemovals: readonly Removal[] = [
  {
    name: "mails",
    remove: (connection, now, limit) => queries.deleteDone(connection, secondsAfter(now, -retentionSeconds.mails), limit),
  },
];
