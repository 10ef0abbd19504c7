import { dayOf, secondsAfter } from "../../platform/clock.ts";
import type { Removal } from "../../platform/retention/job.ts";
import { retentionSeconds } from "../../platform/retention/periods.ts";
import { deleteDaysBefore } from "./queries.ts";

/** Networks and devices of playing that are no longer counted. */
export const playbackRemovals: readonly Removal[] = [
  {
    name: "days of playing",
    remove: (connection, now, limit) =>
      deleteDaysBefore(connection, dayOf(secondsAfter(now, -retentionSeconds.playingDays)), limit),
  },
];
