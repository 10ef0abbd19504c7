import { secondsAfter } from "../../platform/clock.ts";
import type { Removal } from "../../platform/retention/job.ts";
import { retentionSeconds } from "../../platform/retention/periods.ts";
import { oldestStart } from "../../platform/db/session-lifetime.ts";
import { deleteUnusedNetworks } from "./limits/queries.ts";
import * as queries from "./retention-queries.ts";
import { oldestEnrolment } from "./second-factor/enrolments.ts";
import { oldestChallenge } from "./second-factor/verify.ts";

/** Ended sessions, expired links, codes and challenges, unused networks, and unfinished sign-ups and enrolments. */
export const authRemovals: readonly Removal[] = [
  {
    name: "sessions",
    // A session takes its refresh tokens with it, up to thousands.
    batchSize: 50,
    remove(connection, now, limit) {
      const before = secondsAfter(now, -retentionSeconds.sessions);
      return queries.deleteEndedSessions(connection, { revokedBefore: before, startedBefore: oldestStart(before), limit });
    },
  },
  {
    name: "recovery links",
    remove: (connection, now, limit) =>
      queries.deleteOldRecoveries(connection, secondsAfter(now, -retentionSeconds.recoveries), limit),
  },
  {
    name: "familiar networks",
    remove: (connection, now, limit) =>
      deleteUnusedNetworks(connection, secondsAfter(now, -retentionSeconds.familiarNetworks), limit),
  },
  {
    name: "enrolments of a second factor",
    remove: (connection, now, limit) => queries.deleteUnfinishedFactors(connection, oldestEnrolment(now), limit),
  },
  {
    name: "challenges of a second factor",
    remove: (connection, now, limit) => queries.deleteOldChallenges(connection, oldestChallenge(now), limit),
  },
  {
    name: "changes of address",
    remove: (connection, now, limit) =>
      queries.deleteOldEmailChanges(connection, secondsAfter(now, -retentionSeconds.verificationCodes), limit),
  },
  {
    name: "unfinished sign-ups",
    batchSize: 50,
    remove: (connection, now, limit) =>
      queries.deleteAbandonedSignUps(connection, secondsAfter(now, -retentionSeconds.unfinishedSignUps), limit),
  },
];
