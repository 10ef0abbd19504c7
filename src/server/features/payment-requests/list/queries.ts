import { and, asc, desc, eq, sql, type Placeholder, type SQL, type SQLWrapper } from "drizzle-orm";
import type { ListSort } from "#domain/api/fields";
import type { Connection } from "../../../platform/db/database.ts";
import { exactTime } from "../../../platform/db/exact-time.ts";
import { prepared } from "../../../platform/db/prepared.ts";
import { keysOfStep, searchSteps } from "../../../platform/db/search/search-steps.ts";
import { paymentRequests, profiles } from "../../../platform/db/schema.ts";
import { reviewedColumns, viewedColumns, type ReviewedRow } from "../queries.ts";
import { reviewConditions, reviewKeys, type ReviewFilter } from "./conditions.ts";

export interface ReviewPage {
  filter: ReviewFilter;
  sort: ListSort;
  /** Sort keys of the last row of the page before. */
  after: { createdAt: string; id: string } | undefined;
  limit: number;
}

export type ListedRow = ReviewedRow & { created_at_exact: string };

const { created_at, id } = paymentRequests;
const columns = { ...reviewedColumns, created_at_exact: exactTime(created_at) };

/** What `payment_requests_search` is an index of. */
const indexedKeys = sql`payment_request_keys(${paymentRequests.search_text}, ${paymentRequests.status}, ${paymentRequests.crypto_type}, ${paymentRequests.package_type}, ${paymentRequests.flagged}, ${created_at})`;

/** So many requests are read in order before the search index is: what many requests have fills a page from them. */
const glanceSize = 512;

/** Returns requests with the payer's present tier. */
export async function findAllForReview(connection: Connection, page: ReviewPage): Promise<ListedRow[]> {
  const { status: _, flagged, ...others } = page.filter;
  // Only pending requests are flagged, so that a list without them leaves out few, and is read in order too.
  const keys = reviewKeys(flagged === "true" ? { ...others, flagged } : others);
  if (keys.length === 0) return findAllInOrder(connection, page);
  const first = page.limit < glanceSize ? await findAllOfFirst(connection, page) : [];
  return first.length === page.limit ? first : findAllByWeek(connection, page);
}

function findAllInOrder(connection: Connection, { sort, filter, after, limit }: ReviewPage): Promise<ListedRow[]> {
  const list = listsInOrder[sort][filter.status ? "ofStatus" : "ofAll"][after ? "after" : "first"];
  return list(connection).execute({ status: filter.status, isUnflagged: filter.flagged === "false", ...after, limit });
}

/** Prepared, since each is the beginning of an index in order, whatever its values are. */
const listsInOrder = { newest: listsOf("newest"), oldest: listsOf("oldest") };

function listsOf(sort: ListSort) {
  const inOrder = sort === "newest" ? desc : asc;
  const passes = sql`(${paymentRequests.flagged} and ${sql.placeholder("isUnflagged")}::boolean) is not true`;
  const ofStatus = eq(paymentRequests.status, sql.placeholder("status"));
  const isLater = isAfter({ sort, after: { createdAt: sql.placeholder("createdAt"), id: sql.placeholder("id") } });
  const list = (name: string, condition?: SQL) =>
    prepared((connection) =>
      connection
        .select(columns)
        .from(paymentRequests)
        .leftJoin(profiles, eq(profiles.id, paymentRequests.user_id))
        .where(and(passes, condition))
        .orderBy(inOrder(created_at), inOrder(id))
        .limit(sql.placeholder("limit"))
        .prepare(`${sort}_requests_${name}`),
    );
  return {
    ofAll: { first: list("first"), after: list("after", isLater) },
    ofStatus: { first: list("of_status_first", ofStatus), after: list("of_status_after", and(ofStatus, isLater)) },
  };
}

function findAllOfFirst(connection: Connection, page: ReviewPage): Promise<ListedRow[]> {
  const { filter, sort, limit } = page;
  const inOrder = sort === "newest" ? desc : asc;
  // Under the name of the table, for the conditions, which the limit keeps out of here.
  const first = connection
    .select()
    .from(paymentRequests)
    .where(and(filter.status && eq(paymentRequests.status, filter.status), isAfter(page)))
    .orderBy(inOrder(created_at), inOrder(id))
    .limit(glanceSize)
    .as("payment_requests");
  return connection
    .select(columns)
    .from(first)
    .leftJoin(profiles, eq(profiles.id, first.user_id))
    .where(reviewConditions(filter))
    .orderBy(inOrder(created_at), inOrder(id))
    .limit(limit);
}

/**
 * Reads the rows of one week after another from the search index until the page is full. With an index in order instead, a word that only
 * old rows have would read every newer row; without weeks, a word that half of the rows have would sort all of those
 * (docs/decisions/041-searches-have-an-index-of-their-own.md).
 */
function findAllByWeek(connection: Connection, page: ReviewPage): Promise<ListedRow[]> {
  const { filter, sort, after, limit } = page;
  const inOrder = sort === "newest" ? desc : asc;
  const found = connection
    .select(viewedColumns)
    .from(paymentRequests)
    .where(
      and(
        sql`${indexedKeys} @> ${keysOfStep(reviewKeys(filter))}`,
        // The other filters are in the keys. As conditions they would let PostgreSQL choose another index and read a large part of it for each week.
        reviewConditions({ search: filter.search }),
        isAfter(page, sql`${created_at} + interval '0'`),
      ),
    )
    // Ordered by an expression that no index has: for a short page PostgreSQL would otherwise read all rows in order and compute the keys of each.
    .orderBy(inOrder(sql`${created_at} + interval '0'`), inOrder(id))
    .limit(limit)
    .as("found");
  // Pending requests span few weeks, and only pending ones are flagged.
  const status = filter.status ?? (filter.flagged === "true" ? "pending" : undefined);
  const ofStatus = status ? sql` where ${paymentRequests.status} = ${status}` : sql``;
  const oldest = sql`(select min(${created_at}) from ${paymentRequests}${ofStatus})`;
  const newest = sql`(select max(${created_at}) from ${paymentRequests}${ofStatus})`;
  const isDescending = sort === "newest";
  const [first, last, nearer] = isDescending ? [newest, oldest, sql`least`] : [oldest, newest, sql`greatest`];
  const start = after ? sql`${nearer}(${after.createdAt}::timestamptz, ${first})` : first;
  const weeks = searchSteps({ first: sql`search_week(${start})`, last: sql`search_week(${last})`, isDescending });
  return connection
    .select({
      ...found._.selectedFields,
      payer_tier: profiles.subscription_status,
      created_at_exact: exactTime(found.created_at),
    })
    .from(weeks)
    .crossJoinLateral(found)
    .leftJoin(profiles, eq(profiles.id, found.user_id))
    .orderBy(inOrder(sql`step`), inOrder(found.created_at), inOrder(found.id))
    .limit(limit);
}

interface After {
  sort: ListSort;
  after: Record<"createdAt" | "id", string | Placeholder> | undefined;
}

function isAfter({ after, sort }: After, time: SQLWrapper = created_at) {
  if (!after) return undefined;
  const beyond = sort === "newest" ? sql`<` : sql`>`;
  return sql`(${time}, ${id}) ${beyond} (${after.createdAt}::timestamptz, ${after.id}::uuid)`;
}
