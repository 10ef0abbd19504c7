import { and, arrayContains, count, eq, gt, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { mfaChallenges, mfaFactors, mfaRecoveryCodes, sessions, type SecondFactorKind } from "../../../platform/db/schema.ts";

export type FactorRow = typeof mfaFactors.$inferSelect;

/** A factor as its owner sees it. */
export type FactorSummary = Omit<FactorRow, "sealed_secret" | "last_used_step" | "passed_networks"> & {
  recovery_codes_left: number;
};

/** Returns the factors of an account that are verified or were enrolled after `enrolledAfter`. */
export function findAllByAccount(connection: Connection, accountId: string, enrolledAfter: Date): Promise<FactorSummary[]> {
  return connection
    .select({
      id: mfaFactors.id,
      account_id: mfaFactors.account_id,
      friendly_name: mfaFactors.friendly_name,
      created_at: mfaFactors.created_at,
      verified_at: mfaFactors.verified_at,
      last_challenged_at: mfaFactors.last_challenged_at,
      recovery_codes_left: count(mfaRecoveryCodes.factor_id),
    })
    .from(mfaFactors)
    .leftJoin(mfaRecoveryCodes, and(eq(mfaRecoveryCodes.factor_id, mfaFactors.id), isNull(mfaRecoveryCodes.used_at)))
    .where(
      and(
        eq(mfaFactors.account_id, accountId),
        or(isNotNull(mfaFactors.verified_at), gt(mfaFactors.created_at, enrolledAfter)),
      ),
    )
    .groupBy(mfaFactors.id);
}

/** Returns a factor of an account that is verified or was enrolled after `enrolledAfter`. */
export async function findFactor(
  connection: Connection,
  which: { accountId: string; factorId: string; enrolledAfter: Date },
): Promise<FactorRow | undefined> {
  const [row] = await connection
    .select()
    .from(mfaFactors)
    .where(
      and(
        eq(mfaFactors.id, which.factorId),
        eq(mfaFactors.account_id, which.accountId),
        or(isNotNull(mfaFactors.verified_at), gt(mfaFactors.created_at, which.enrolledAfter)),
      ),
    );
  return row;
}

export async function findVerifiedFactor(connection: Connection, accountId: string): Promise<FactorRow | undefined> {
  const [row] = await connection
    .select()
    .from(mfaFactors)
    .where(and(eq(mfaFactors.account_id, accountId), isNotNull(mfaFactors.verified_at)));
  return row;
}

/** Inserts an unverified factor with the hashes of its recovery codes. */
export async function insertFactor(tx: Transaction, row: typeof mfaFactors.$inferInsert, codeHashes: Buffer[]): Promise<void> {
  const [inserted] = await tx.insert(mfaFactors).values(row).returning({ id: mfaFactors.id });
  await tx.insert(mfaRecoveryCodes).values(codeHashes.map((code_hash) => ({ factor_id: inserted!.id, code_hash })));
}

export async function deleteUnverifiedFactor(tx: Transaction, accountId: string): Promise<void> {
  await tx.delete(mfaFactors).where(and(eq(mfaFactors.account_id, accountId), isNull(mfaFactors.verified_at)));
}

/** Deletes a factor with its recovery codes and challenges. */
export async function deleteFactor(tx: Transaction, factorId: string): Promise<void> {
  await tx.delete(mfaFactors).where(eq(mfaFactors.id, factorId));
}

/** Deletes every factor of an account. */
export async function deleteAllFactors(tx: Transaction, accountId: string): Promise<void> {
  await tx.delete(mfaFactors).where(eq(mfaFactors.account_id, accountId));
}

export async function markFactorVerified(tx: Transaction, factorId: string, at: Date): Promise<void> {
  await tx.update(mfaFactors).set({ verified_at: at }).where(eq(mfaFactors.id, factorId));
}

/** Notes the step of an accepted code. Returns false when a code of this step or a later one was accepted before. */
export async function markStepUsed(tx: Transaction, factorId: string, step: number): Promise<boolean> {
  const rows = await tx
    .update(mfaFactors)
    .set({ last_used_step: step })
    .where(and(eq(mfaFactors.id, factorId), or(isNull(mfaFactors.last_used_step), lt(mfaFactors.last_used_step, step))))
    .returning({ id: mfaFactors.id });
  return rows.length > 0;
}

/** Marks a recovery code as used. Returns false when there is no such code or it was used before. */
export async function markRecoveryCodeUsed(tx: Transaction, factorId: string, codeHash: Buffer, at: Date): Promise<boolean> {
  const rows = await tx
    .update(mfaRecoveryCodes)
    .set({ used_at: at })
    .where(
      and(eq(mfaRecoveryCodes.factor_id, factorId), eq(mfaRecoveryCodes.code_hash, codeHash), isNull(mfaRecoveryCodes.used_at)),
    )
    .returning({ factorId: mfaRecoveryCodes.factor_id });
  return rows.length > 0;
}

export async function countUnusedRecoveryCodes(connection: Connection, factorId: string): Promise<number> {
  return connection.$count(mfaRecoveryCodes, and(eq(mfaRecoveryCodes.factor_id, factorId), isNull(mfaRecoveryCodes.used_at)));
}

/** Inserts a challenge in place of the session's earlier ones, and returns its id. */
export async function replaceChallenge(
  tx: Transaction,
  row: { factor_id: string; session_id: string; created_at: Date },
): Promise<string> {
  await tx.delete(mfaChallenges).where(eq(mfaChallenges.session_id, row.session_id));
  await tx.update(mfaFactors).set({ last_challenged_at: row.created_at }).where(eq(mfaFactors.id, row.factor_id));
  const [inserted] = await tx.insert(mfaChallenges).values(row).returning({ id: mfaChallenges.id });
  return inserted!.id;
}

/**
 * Counts a try of a challenge that was made after `madeAfter`. Returns false, and counts nothing, when there is none of this factor
 * and session or its tries are used up.
 */
export async function countTry(
  tx: Transaction,
  challenge: { id: string; factorId: string; sessionId: string; madeAfter: Date; maxTries: number },
): Promise<boolean> {
  const rows = await tx
    .update(mfaChallenges)
    .set({ tries: sql`${mfaChallenges.tries} + 1` })
    .where(
      and(
        eq(mfaChallenges.id, challenge.id),
        eq(mfaChallenges.factor_id, challenge.factorId),
        eq(mfaChallenges.session_id, challenge.sessionId),
        gt(mfaChallenges.created_at, challenge.madeAfter),
        lt(mfaChallenges.tries, challenge.maxTries),
      ),
    )
    .returning({ id: mfaChallenges.id });
  return rows.length > 0;
}

export async function deleteChallenge(tx: Transaction, id: string): Promise<void> {
  await tx.delete(mfaChallenges).where(eq(mfaChallenges.id, id));
}

/** Marks a session as one that passed the second factor, which also proves it. */
export async function markSecondFactorPassed(
  tx: Transaction,
  sessionId: string,
  passed: { by: SecondFactorKind; at: Date },
): Promise<void> {
  await tx
    .update(sessions)
    .set({ second_factor_by: passed.by, second_factor_at: passed.at, proven_at: passed.at })
    .where(eq(sessions.id, sessionId));
}

/** Ends the sessions of an account that have yet to pass the second factor. */
export async function revokeSessionsBeforeCode(tx: Transaction, accountId: string, at: Date): Promise<void> {
  await tx
    .update(sessions)
    .set({ revoked_at: at })
    .where(and(eq(sessions.account_id, accountId), isNull(sessions.revoked_at), isNull(sessions.second_factor_by)));
}

/** Marks every session of an account as one that did not pass the second factor. The code's time stays: tokens from before are refused (SESSION-3). */
export async function clearSecondFactorPassed(tx: Transaction, accountId: string): Promise<void> {
  await tx.update(sessions).set({ second_factor_by: null }).where(eq(sessions.account_id, accountId));
}

/** Remembers a network from which a factor was passed, and of the earlier ones the newest, `most` together. */
export async function rememberPassedFrom(tx: Transaction, factorId: string, network: string, most: number): Promise<void> {
  const rest = sql`array_remove(${mfaFactors.passed_networks}, ${network})`;
  await tx
    .update(mfaFactors)
    .set({ passed_networks: sql`(array_prepend(${network}, ${rest}))[1:${sql.raw(String(most))}]` })
    .where(eq(mfaFactors.id, factorId));
}

/** Returns whether the verified factor of an account was passed from a network before. */
export async function hasPassedFrom(connection: Connection, accountId: string, network: string): Promise<boolean> {
  const passed = and(
    eq(mfaFactors.account_id, accountId),
    isNotNull(mfaFactors.verified_at),
    arrayContains(mfaFactors.passed_networks, [network]),
  );
  return (await connection.$count(mfaFactors, passed)) > 0;
}
