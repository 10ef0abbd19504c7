import { sql } from "drizzle-orm";
import type { Connection } from "../../platform/db/database.ts";

export async function deleteEndedSessions(
  connection: Connection,
  ended: { revokedBefore: Date; startedBefore: Date; limit: number },
): Promise<number> {
  const { rowCount } = await connection.execute(sql`
    delete from sessions where id in (
      select id from sessions
      where revoked_at < ${ended.revokedBefore.toISOString()}::timestamptz
        or created_at < ${ended.startedBefore.toISOString()}::timestamptz
      limit ${ended.limit} for update skip locked
    )`);
  return rowCount ?? 0;
}

export async function deleteOldRecoveries(connection: Connection, expiredBefore: Date, limit: number): Promise<number> {
  const { rowCount } = await connection.execute(sql`
    delete from password_recoveries where token_hash in (
      select token_hash from password_recoveries where expires_at < ${expiredBefore.toISOString()}::timestamptz
      limit ${limit} for update skip locked
    )`);
  return rowCount ?? 0;
}

export async function deleteUnfinishedFactors(connection: Connection, enrolledBefore: Date, limit: number): Promise<number> {
  const { rowCount } = await connection.execute(sql`
    delete from mfa_factors where id in (
      select id from mfa_factors where verified_at is null and created_at < ${enrolledBefore.toISOString()}::timestamptz
      limit ${limit} for update skip locked
    )`);
  return rowCount ?? 0;
}

export async function deleteOldChallenges(connection: Connection, madeBefore: Date, limit: number): Promise<number> {
  const { rowCount } = await connection.execute(sql`
    delete from mfa_challenges where id in (
      select id from mfa_challenges where created_at < ${madeBefore.toISOString()}::timestamptz
      limit ${limit} for update skip locked
    )`);
  return rowCount ?? 0;
}

export async function deleteOldEmailChanges(connection: Connection, expiredBefore: Date, limit: number): Promise<number> {
  const { rowCount } = await connection.execute(sql`
    delete from email_changes where account_id in (
      select account_id from email_changes where expires_at < ${expiredBefore.toISOString()}::timestamptz
      limit ${limit} for update skip locked
    )`);
  return rowCount ?? 0;
}

/** Students who never proved their address, neither signed up nor signed in since, and have no payment request. */
export async function deleteAbandonedSignUps(connection: Connection, before: Date, limit: number): Promise<number> {
  const since = before.toISOString();
  const { rowCount } = await connection.execute(sql`
    delete from accounts where id in (
      select id from accounts
      where email_verified_at is null and role = 'student' and created_at < ${since}::timestamptz
        and coalesce(last_sign_in_at, created_at) < ${since}::timestamptz
        and not exists (select from payment_requests where payment_requests.user_id = accounts.id)
      limit ${limit} for update skip locked
    )`);
  return rowCount ?? 0;
}
