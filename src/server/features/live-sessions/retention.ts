import { secondsAfter } from "../../platform/clock.ts";
import type { Removal } from "../../platform/retention/job.ts";
import { retentionSeconds } from "../../platform/retention/periods.ts";
import { deleteOldReminders } from "./reminders/queries.ts";

/** Records of reminders whose occurrence has begun. */
export const liveSessionRemovals: readonly Removal[] = [
  {
    name: "reminders of live sessions",
    remove: (connection, now, limit) =>
      deleteOldReminders(connection, secondsAfter(now, -retentionSeconds.liveReminders), limit),
  },
];
