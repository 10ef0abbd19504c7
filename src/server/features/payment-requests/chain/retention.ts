import { secondsAfter } from "../../../platform/clock.ts";
import type { Removal } from "../../../platform/retention/job.ts";
import { retentionSeconds } from "../../../platform/retention/periods.ts";
import { deleteTransfersBefore } from "./scan-queries.ts";

/** Transfers of long ago; a lookup keeps those that it has found (KEEP-1). */
export const chainRemovals: readonly Removal[] = [
  {
    name: "transfers of Ethereum",
    remove: (connection, now, limit) =>
      deleteTransfersBefore(connection, secondsAfter(now, -retentionSeconds.chainTransfers), limit),
  },
];
