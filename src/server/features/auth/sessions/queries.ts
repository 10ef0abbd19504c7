import { and, desc, eq, isNull, ne, sql } from "drizzle-orm";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { exactTime } from "../../../platform/db/exact-time.ts";
import { isNotEnded } from "../../../platform/db/session-lifetime.ts";
import { prepared } from "../../../platform/db/prepared.ts";
import { accounts, mfaFactors, profiles, refreshTokens, sessions } from "../../../platform/db/schema.ts";
import type { AccountRow } from "../queries.ts";

const principal = prepared((connection) =>
  connection
    .select({
      id: accounts.id,
      email: accounts.email,
      role: accounts.role,
      email_verified: sql<boolean>`${accounts.email_verified_at} is not null`,
      full_name: profiles.full_name,
      subscription_status: profiles.subscription_status,
      hasSecondFactor: sql<boolean>`exists (select from ${mfaFactors}
        where ${mfaFactors.account_id} = ${accounts.id} and ${mfaFactors.verified_at} is not null)`,
      secondFactorAt: sessions.second_factor_at,
      secondFactorBy: sessions.second_factor_by,
      provenAt: sql<Date>`coalesce(${sessions.proven_at}, ${sessions.created_at})`.mapWith(sessions.created_at),
      steppedUpAt: sessions.stepped_up_at,
      startedAt: sessions.created_at,
      byRecovery: sessions.by_recovery,
    })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.account_id))
    .innerJoin(profiles, eq(profiles.id, accounts.id))
    .where(
      and(
        eq(sessions.id, sql.placeholder("sessionId")),
        eq(sessions.account_id, sql.placeholder("accountId")),
        isNotEnded(sql.placeholder("startedAfter")),
      ),
    )
    .prepare("principal"),
);

/** Returns the account of an open session as it is now, in one round trip, once for every request. */
export async function findPrincipal(
  connection: Connection,
  claims: { accountId: string; sessionId: string; startedAfter: string },
) {
  const [found] = await principal(connection).execute(claims);
  return found;
}

const session = {
  id: sessions.id,
  created_at: sessions.created_at,
  last_seen_at: sessions.last_seen_at,
  network: sessions.network,
  user_agent: sessions.user_agent,
  created_at_exact: exactTime(sessions.created_at),
};

const selectSessions = (connection: Connection) => connection.select(session).from(sessions);

export type SessionRow = Awaited<ReturnType<typeof selectSessions>>[number];

/** Returns the sessions of an account that were not ended and began after `startedAfter`, newest first. */
export function findAllLive(
  connection: Connection,
  page: {
    accountId: string;
    startedAfter: Date;
    /** Sort keys of the last row of the page before. */
    after: { createdAt: string; id: string } | undefined;
    limit: number;
  },
): Promise<SessionRow[]> {
  const { after } = page;
  return selectSessions(connection)
    .where(
      and(
        eq(sessions.account_id, page.accountId),
        isNotEnded(page.startedAfter),
        after && sql`(${sessions.created_at}, ${sessions.id}) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(sessions.created_at), desc(sessions.id))
    .limit(page.limit);
}

/** Marks a session as proven by a step-up. */
export async function markProven(connection: Connection, sessionId: string, at: Date): Promise<void> {
  await connection.update(sessions).set({ proven_at: at, stepped_up_at: at }).where(eq(sessions.id, sessionId));
}

export interface NewSession {
  accountId: string;
  /** Nothing is inserted unless the account still has this password hash. */
  expectedHash: string | undefined;
  sessionId: string;
  tokenHash: Buffer;
  byRecovery: boolean;
  network: string;
  userAgent: string;
  now: Date;
  /** Sessions of the account that began before have ended, and are deleted. */
  oldestStart: Date;
}

/** The account of a new session, and whether it has a second factor or a pending address, or had one. */
export interface SessionAccount {
  account: AccountRow;
  hasDetails: boolean;
}

/** Inserts a session and its first refresh token, in one statement to save round trips. Returns undefined when no account matches. */
export async function insertSession(connection: Connection, row: NewSession): Promise<SessionAccount | undefined> {
  const now = row.now.toISOString();
  const { rows } = await connection.execute<RawAccount & { has_details: boolean }>(sql`
    with account as (
      update accounts set last_sign_in_at = ${now}::timestamptz
      where id = ${row.accountId} and password_hash = coalesce(${row.expectedHash ?? null}, password_hash)
      returning *
    ), ended as (
      delete from sessions using account
      where sessions.account_id = account.id
        and (sessions.revoked_at is not null or sessions.created_at <= ${row.oldestStart.toISOString()}::timestamptz)
    ), started as (
      insert into sessions (id, account_id, created_at, by_recovery, network, user_agent, last_seen_at, proven_at)
      select ${row.sessionId}::uuid, id, ${now}::timestamptz, ${row.byRecovery}::boolean, ${row.network}, ${row.userAgent},
        ${now}::timestamptz, ${now}::timestamptz
      from account
      returning id
    ), token as (
      insert into refresh_tokens (token_hash, session_id, created_at)
      select ${row.tokenHash}::bytea, id, ${now}::timestamptz from started
    )
    select account.id, account.email, account.role, account.password_hash, account.email_verified_at, account.created_at,
      account.last_sign_in_at, account.updated_at, profiles.full_name,
      exists (select from mfa_factors where account_id = account.id)
        or exists (select from email_changes where account_id = account.id) as has_details
    from account join profiles on profiles.id = account.id`);
  const [found] = rows;
  if (found === undefined) return undefined;
  const { has_details: hasDetails, ...account } = found;
  return { account: accountOf(account), hasDetails };
}

type RawAccount = Record<keyof AccountRow, string | null>;

/** Converts the times of a raw row, which are text. */
function accountOf(raw: RawAccount): AccountRow {
  const timestamp = (text: string | null): Date | null => (text === null ? null : new Date(text));
  return {
    ...(raw as Record<"id" | "email" | "password_hash" | "full_name", string>),
    role: raw.role as AccountRow["role"],
    email_verified_at: timestamp(raw.email_verified_at),
    created_at: new Date(raw.created_at!),
    last_sign_in_at: timestamp(raw.last_sign_in_at),
    updated_at: timestamp(raw.updated_at),
  };
}

export type LockedSession = typeof sessions.$inferSelect;

/** Returns a session that was not ended and began after `startedAfter`, locked until the transaction ends. */
export async function lockOpenSession(tx: Transaction, id: string, startedAfter: Date): Promise<LockedSession | undefined> {
  const [row] = await tx
    .select()
    .from(sessions)
    .where(and(eq(sessions.id, id), isNotEnded(startedAfter)))
    .for("update");
  return row;
}

/** Marks a session as one that no longer came from a recovery link. */
export async function clearByRecovery(tx: Transaction, sessionId: string): Promise<void> {
  await tx.update(sessions).set({ by_recovery: false }).where(eq(sessions.id, sessionId));
}

/** Marks all refresh tokens of a session as used, at the latest at a given time. */
export async function markAllTokensUsed(tx: Transaction, sessionId: string, latest: Date): Promise<void> {
  await tx
    .update(refreshTokens)
    .set({ used_at: sql`least(${refreshTokens.used_at}, ${latest.toISOString()}::timestamptz)` })
    .where(eq(refreshTokens.session_id, sessionId));
}

/** Notes that a session was used, from where and by which program. */
export async function updateLastSeen(
  tx: Transaction,
  sessionId: string,
  seen: { at: Date; network: string; userAgent: string },
): Promise<void> {
  await tx
    .update(sessions)
    .set({ last_seen_at: seen.at, network: seen.network, user_agent: seen.userAgent })
    .where(eq(sessions.id, sessionId));
}

/** Which sessions of an account to end, by session id. */
export type SessionChoice = { only: string } | { except: string } | "all";

/** Ends the chosen sessions of an account, and returns how many there were. */
export async function revokeSessions(
  connection: Connection,
  accountId: string,
  choice: SessionChoice,
  at: Date,
): Promise<number> {
  const chosen =
    choice === "all" ? undefined : "only" in choice ? eq(sessions.id, choice.only) : ne(sessions.id, choice.except);
  const { rowCount } = await connection
    .update(sessions)
    .set({ revoked_at: at })
    .where(and(eq(sessions.account_id, accountId), isNull(sessions.revoked_at), chosen));
  return rowCount ?? 0;
}

export async function insertRefreshToken(tx: Transaction, row: typeof refreshTokens.$inferInsert): Promise<void> {
  await tx.insert(refreshTokens).values(row);
}

/** Returns the session and the account of a refresh token. */
export async function findTokenOwner(
  connection: Connection,
  hash: Buffer,
): Promise<{ sessionId: string; accountId: string } | undefined> {
  const [row] = await connection
    .select({ sessionId: sessions.id, accountId: sessions.account_id })
    .from(refreshTokens)
    .innerJoin(sessions, eq(sessions.id, refreshTokens.session_id))
    .where(eq(refreshTokens.token_hash, hash));
  return row;
}

export type LockedToken = typeof refreshTokens.$inferSelect;

/** Returns a refresh token, locked until the transaction ends. */
export async function lockRefreshToken(tx: Transaction, hash: Buffer): Promise<LockedToken | undefined> {
  const [row] = await tx.select().from(refreshTokens).where(eq(refreshTokens.token_hash, hash)).for("update");
  return row;
}

export async function markTokenUsed(tx: Transaction, hash: Buffer, at: Date): Promise<void> {
  await tx.update(refreshTokens).set({ used_at: at }).where(eq(refreshTokens.token_hash, hash));
}
