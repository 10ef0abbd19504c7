import { and, eq, exists, isNull, lt, not, or, sql } from "drizzle-orm";
import type { Connection } from "../../platform/db/database.ts";
import {
  accounts,
  emailChanges,
  mfaChallenges,
  mfaFactors,
  passwordRecoveries,
  paymentRequests,
  sessions,
} from "../../platform/db/schema.ts";
import { deleteRows } from "../../platform/retention/delete-rows.ts";

export function deleteEndedSessions(
  connection: Connection,
  ended: { revokedBefore: Date; startedBefore: Date; limit: number },
): Promise<number> {
  const isEnded = or(lt(sessions.revoked_at, ended.revokedBefore), lt(sessions.created_at, ended.startedBefore));
  return deleteRows(connection, sessions, isEnded, ended.limit);
}

export function deleteOldRecoveries(connection: Connection, expiredBefore: Date, limit: number): Promise<number> {
  return deleteRows(connection, passwordRecoveries, lt(passwordRecoveries.expires_at, expiredBefore), limit);
}

export function deleteUnfinishedFactors(connection: Connection, enrolledBefore: Date, limit: number): Promise<number> {
  const isUnfinished = and(isNull(mfaFactors.verified_at), lt(mfaFactors.created_at, enrolledBefore));
  return deleteRows(connection, mfaFactors, isUnfinished, limit);
}

export function deleteOldChallenges(connection: Connection, madeBefore: Date, limit: number): Promise<number> {
  return deleteRows(connection, mfaChallenges, lt(mfaChallenges.created_at, madeBefore), limit);
}

export function deleteOldEmailChanges(connection: Connection, expiredBefore: Date, limit: number): Promise<number> {
  return deleteRows(connection, emailChanges, lt(emailChanges.expires_at, expiredBefore), limit);
}

/** Students who never proved their address, neither signed up nor signed in since, and have no payment request. */
export function deleteAbandonedSignUps(connection: Connection, before: Date, limit: number): Promise<number> {
  // Stryker disable next-line StringLiteral: what is selected does not matter to "exists".
  const one = sql`1`;
  // Stryker disable next-line ObjectLiteral: nor whether anything is.
  const requests = connection.select({ one }).from(paymentRequests).where(eq(paymentRequests.user_id, accounts.id));
  const isAbandoned = and(
    isNull(accounts.email_verified_at),
    eq(accounts.role, "student"),
    lt(accounts.created_at, before),
    or(isNull(accounts.last_sign_in_at), lt(accounts.last_sign_in_at, before)),
    not(exists(requests)),
  );
  return deleteRows(connection, accounts, isAbandoned, limit);
}
