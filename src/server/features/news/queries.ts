import { and, desc, eq, gt, inArray, isNotNull, isNull, not, sql, type SQL } from "drizzle-orm";
import type { NewsReach } from "#domain/api/course/news";
import { audienceTiers, newsAudiences, type NewsAudience } from "#domain/news";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { exactTime } from "../../platform/db/exact-time.ts";
import { accounts, news, newsMailings, newsReads, profiles } from "../../platform/db/schema.ts";
import { wantsMail } from "../mail-choices/service.ts";

type NewsValues = typeof news.$inferSelect;
export type MailingRow = typeof newsMailings.$inferSelect;

export interface NewsRow extends NewsValues {
  published_at_exact: string;
  unread: boolean;
  older_unread: boolean;
  mailing: MailingRow | null;
}

export interface NewsPage {
  /** Sort keys of the last row of the page before. */
  after: { publishedAt: string; id: string } | undefined;
  limit: number;
}

/** Returns the news of some audiences with what is new to the reader, newest first. */
export function findAllForReader(
  connection: Connection,
  readerId: string,
  audiences: NewsAudience[],
  { after, limit }: NewsPage,
): Promise<NewsRow[]> {
  const isRead = sql`exists (select from ${newsReads}
    where ${newsReads.news_id} = ${news.id} and ${newsReads.account_id} = ${readerId})`;
  const unread = sql<boolean>`(${and(gt(news.published_at, accounts.created_at), not(isRead))})`;
  const older_unread = sql<boolean>`coalesce(bool_or${unread} over (
    order by ${news.published_at} desc, ${news.id} desc rows between 1 following and unbounded following), false)`;
  return connection
    .select({ ...newsColumns, unread, older_unread })
    .from(news)
    .innerJoin(accounts, eq(accounts.id, readerId))
    .leftJoin(newsMailings, eq(newsMailings.news_id, news.id))
    .where(
      and(
        inArray(news.audience, audiences),
        after && sql`(${news.published_at}, ${news.id}) < (${after.publishedAt}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(news.published_at), desc(news.id))
    .limit(limit);
}

const newsColumns = {
  id: news.id,
  title: news.title,
  body: news.body,
  audience: news.audience,
  published_at: news.published_at,
  published_at_exact: exactTime(news.published_at),
  edited_at: news.edited_at,
  idempotency_key: news.idempotency_key,
  idempotency_sha256: news.idempotency_sha256,
  mailing: newsMailings,
};

/** Returns an announcement as the admin sees it. */
export function findById(connection: Connection, id: string): Promise<NewsRow | undefined> {
  return findOne(connection, eq(news.id, id));
}

/** Returns what an announcement says, which nobody else changes until the transaction ends. */
export async function lockById(tx: Transaction, id: string) {
  const { title, body, audience } = news;
  const [row] = await tx.select({ title, body, audience }).from(news).where(eq(news.id, id)).for("update");
  return row;
}

export function findByIdempotencyKey(connection: Connection, key: string): Promise<NewsRow | undefined> {
  return findOne(connection, eq(news.idempotency_key, key));
}

async function findOne(connection: Connection, condition: SQL): Promise<NewsRow | undefined> {
  const [row] = await connection
    .select(newsColumns)
    .from(news)
    .leftJoin(newsMailings, eq(newsMailings.news_id, news.id))
    .where(condition);
  return row && { ...row, unread: false, older_unread: false };
}

/** Returns the id of the new announcement; undefined when its idempotency key was used before. */
export async function insertNews(connection: Connection, values: typeof news.$inferInsert): Promise<string | undefined> {
  const [row] = await connection.insert(news).values(values).onConflictDoNothing().returning({ id: news.id });
  return row?.id;
}

export async function updateNews(connection: Connection, id: string, changes: Partial<NewsValues>): Promise<void> {
  await connection.update(news).set(changes).where(eq(news.id, id));
}

/** Deletes an announcement with its read marks and its mailing. */
export async function deleteNews(connection: Connection, id: string): Promise<void> {
  await connection.delete(news).where(eq(news.id, id));
}

/** Marks an announcement of one of the audiences as read; again changes nothing. Returns whether there is such an announcement. */
export async function insertRead(
  connection: Connection,
  id: string,
  readerId: string,
  audiences: NewsAudience[],
  now: Date,
): Promise<boolean> {
  // The lock, because a mark of news that is being deleted breaks its foreign key.
  const { rows } = await connection.execute(sql`
    with readable as (select ${news.id} from ${news} where ${and(eq(news.id, id), inArray(news.audience, audiences))} for key share),
    marked as (
      insert into ${newsReads} (account_id, news_id, read_at)
      select ${readerId}, id, ${now.toISOString()}::timestamptz from readable on conflict do nothing
    )
    select id from readable`);
  return rows.length > 0;
}

/** Verified students of an audience, over `accounts` joined with `profiles`. */
const isInAudience = (audience: NewsAudience): SQL =>
  and(
    eq(accounts.role, "student"),
    isNotNull(accounts.email_verified_at),
    inArray(profiles.subscription_status, [...audienceTiers[audience]]),
  )!;

/** Counts the students of each audience, and those of them who want news by mail. */
export async function countReach(connection: Connection): Promise<NewsReach> {
  const counts = newsAudiences.map((audience) => {
    const students = isInAudience(audience);
    return sql`${audience}::text, json_build_object(
      'students', count(*) filter (where ${students}),
      'mails', count(*) filter (where ${students} and ${wantsMail("news")}))`;
  });
  const [row] = await connection
    .select({ reach: sql<NewsReach>`json_build_object(${sql.join(counts, sql`, `)})` })
    .from(accounts)
    .innerJoin(profiles, eq(profiles.id, accounts.id));
  return row!.reach;
}

export async function insertMailing(tx: Transaction, values: typeof newsMailings.$inferInsert): Promise<void> {
  await tx.insert(newsMailings).values(values);
}

export type DueMailing = MailingRow & Pick<NewsValues, "title" | "body" | "audience">;

/** Returns whether mails of an announcement are still to be written. */
export async function isMailing(connection: Connection, newsId: string): Promise<boolean> {
  const unfinished = and(eq(newsMailings.news_id, newsId), isNull(newsMailings.finished_at));
  return (await connection.$count(newsMailings, unfinished)) > 0;
}

/** Returns the oldest mailing that is not finished, locked until the transaction ends; those of other processes are skipped. */
export async function lockUnfinishedMailing(tx: Transaction): Promise<DueMailing | undefined> {
  const [row] = await tx
    .select({ mailing: newsMailings, title: news.title, body: news.body, audience: news.audience })
    .from(newsMailings)
    .innerJoin(news, eq(news.id, newsMailings.news_id))
    .where(isNull(newsMailings.finished_at))
    .orderBy(newsMailings.started_at)
    .limit(1)
    .for("update", { of: newsMailings, skipLocked: true });
  return row && { ...row.mailing, title: row.title, body: row.body, audience: row.audience };
}

export interface Recipient {
  id: string;
  email: string;
}

/**
 * Returns the next students of a mailing who want news by mail, in the order of their ids: those verified before it began. None of them is deleted
 * or makes a choice until the transaction ends; one made while this waited for their lock is left to `stillWanting`.
 */
export function findAllRecipients(tx: Transaction, mailing: DueMailing, limit: number): Promise<Recipient[]> {
  return tx
    .select({ id: accounts.id, email: accounts.email })
    .from(accounts)
    .innerJoin(profiles, eq(profiles.id, accounts.id))
    .where(
      and(
        isInAudience(mailing.audience),
        sql`${accounts.email_verified_at} <= ${mailing.started_at.toISOString()}::timestamptz`,
        mailing.last_account_id === null ? undefined : gt(accounts.id, mailing.last_account_id),
        wantsMail("news"),
      ),
    )
    .orderBy(accounts.id)
    .limit(limit)
    .for("key share", { of: accounts });
}

export async function updateMailing(tx: Transaction, newsId: string, changes: Partial<MailingRow>): Promise<void> {
  await tx.update(newsMailings).set(changes).where(eq(newsMailings.news_id, newsId));
}
