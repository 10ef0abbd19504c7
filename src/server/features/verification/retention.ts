import { secondsAfter } from "../../platform/clock.ts";
import type { Removal } from "../../platform/retention/job.ts";
import { retentionSeconds } from "../../platform/retention/periods.ts";
import * as queries from "./queries.ts";

/** Codes that expired. */
export const verificationRemovals: readonly Removal[] = [
  {
    name: "verification codes",
    remove: (connection, now, limit) =>
      queries.deleteOldCodes(connection, secondsAfter(now, -retentionSeconds.verificationCodes), limit),
  },
];
