import { secondsAfter } from "../../../platform/clock.ts";
import type { Removal } from "../../../platform/retention/job.ts";
import { retentionSeconds } from "../../../platform/retention/periods.ts";
import { deleteOldChanges } from "./queries.ts";

/** Changes whose links ended long ago; the audit log keeps what they did. */
export const guardRemovals: readonly Removal[] = [
  {
    name: "changes of destinations",
    remove: (connection, now, limit) =>
      deleteOldChanges(connection, secondsAfter(now, -retentionSeconds.guardedChanges), limit),
  },
];
