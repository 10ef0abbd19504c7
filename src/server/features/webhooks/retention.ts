import { secondsAfter } from "../../platform/clock.ts";
import type { Removal } from "../../platform/retention/job.ts";
import { retentionSeconds } from "../../platform/retention/periods.ts";
import { deleteCreatedBefore } from "./queries.ts";

/** Also events that still wait: they are that old only where WEBHOOK_URL was taken away. */
export const webhookRemovals: readonly Removal[] = [
  {
    name: "webhook events",
    remove: (connection, now, limit) =>
      deleteCreatedBefore(connection, secondsAfter(now, -retentionSeconds.webhookEvents), limit),
  },
];
