import { and, asc, desc, eq, isNotNull, isNull, or, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { UserSort } from "#domain/api/users";
import type { SubscriptionStatus } from "#domain/packages";
import { containsText, searchKeys } from "../../platform/db/search/contains-text.ts";
import type { Connection } from "../../platform/db/database.ts";
import { exactTime } from "../../platform/db/exact-time.ts";
import { accounts, profiles } from "../../platform/db/schema.ts";
import { keysOfStep, searchSteps } from "../../platform/db/search/search-steps.ts";
import { user, type UserRow } from "./queries.ts";

export interface UserFilter {
  search: string | undefined;
  tier: SubscriptionStatus | undefined;
}

export interface UserPage {
  sort: UserSort;
  /** Sort keys of the last row of the page before. */
  after: { time: string; id: string } | undefined;
  limit: number;
}

export type ListedUserRow = UserRow & { sort_time: string };

/** What a list is sorted by, in the words of its index, and the steps in which the search index has it. */
interface Order {
  time: SQL;
  id: SQL;
  /** The database's function that returns the step of a time. */
  step: SQL;
  /** Prefix of the keys. */
  prefix: string;
  /** Where the time comes from, without the value of no time. */
  range: SQL;
  /** The step of no time. */
  end?: number;
}

const joined: Order = {
  time: sql`${profiles.created_at}`,
  id: sql`${profiles.id}`,
  step: sql`search_week`,
  prefix: "up:",
  range: sql`${profiles}`,
};

const neverSeen = sql`'epoch'::timestamptz`;
const seenAt = sql`coalesce(${accounts.last_sign_in_at}, ${neverSeen})`;
const seen: Order = {
  time: seenAt,
  id: sql`${accounts.id}`,
  step: sql`sign_in_step`,
  prefix: "in:",
  range: sql`${accounts} where ${seenAt} > ${neverSeen}`,
  end: 0,
};

/** Returns students, without unfinished sign-ups of an address that has an account (docs/decisions/004). Who never signed in comes last. */
export function findAllStudents(connection: Connection, filter: UserFilter, page: UserPage): Promise<ListedUserRow[]> {
  // The index of last sign-ins has no tiers.
  const isSearched = filter.search !== undefined || (filter.tier !== undefined && page.sort === "last-sign-in");
  return isSearched ? findAllByStep(connection, filter, page) : findAllInOrder(connection, filter, page);
}

function findAllInOrder(connection: Connection, { tier }: UserFilter, page: UserPage): Promise<ListedUserRow[]> {
  const { time, id, inOrder } = orderOf(page);
  return connection
    .select({ ...user, sort_time: exactTime(time) })
    .from(profiles)
    .innerJoin(accounts, eq(accounts.id, profiles.id))
    .where(and(isListed(connection), tier && eq(profiles.subscription_status, tier), isAfter(page, time)))
    .orderBy(inOrder(time), inOrder(id))
    .limit(page.limit);
}

/** Reads the students of one step after another from the search index until the page is full. */
function findAllByStep(connection: Connection, { search = "", tier }: UserFilter, page: UserPage): Promise<ListedUserRow[]> {
  const { time, id, inOrder, prefix } = orderOf(page);
  const keys = [...searchKeys(search), ...(tier ? [`tier:${tier}`] : [])];
  const { search_text, subscription_status, created_at, sign_in_step } = profiles;
  const indexedKeys = sql`profile_keys(${search_text}, ${subscription_status}, ${created_at}, ${sign_in_step})`;
  const found = connection
    .select({ ...user, sort_time: exactTime(time).as("sort_time") })
    .from(profiles)
    .innerJoin(accounts, eq(accounts.id, profiles.id))
    .where(
      and(
        isListed(connection),
        sql`${indexedKeys} @> ${keysOfStep(keys, prefix)}`,
        containsText(search, search_text),
        // An expression that no index has: with the column itself PostgreSQL could choose another index and read a large part of it for each step.
        isAfter(page, sql`${time} + interval '0'`),
      ),
    )
    // Ordered by an expression that no index has: for a short page PostgreSQL would otherwise read all students in order and compute the keys of each.
    .orderBy(inOrder(sql`${time} + interval '0'`), inOrder(id))
    .limit(page.limit)
    .as("found");
  return connection
    .select(found._.selectedFields)
    .from(stepsOf(page))
    .crossJoinLateral(found)
    .orderBy(inOrder(sql`step`), inOrder(found.sort_time), inOrder(found.id))
    .limit(page.limit);
}

function orderOf({ sort }: UserPage) {
  return { ...(sort === "last-sign-in" ? seen : joined), inOrder: sort === "oldest" ? asc : desc };
}

function stepsOf(page: UserPage): SQL {
  const { time, range, step, end } = orderOf(page);
  const isDescending = page.sort !== "oldest";
  const ends = [sql`(select max(${time}) from ${range})`, sql`(select min(${time}) from ${range})`];
  const [first, last] = (isDescending ? ends : ends.toReversed()) as [SQL, SQL];
  const start = page.after
    ? sql`${isDescending ? sql`least` : sql`greatest`}(${page.after.time}::timestamptz, ${first})`
    : first;
  return searchSteps({ first: sql`${step}(${start})`, last: sql`${step}(${last})`, isDescending, end });
}

/** Returns whether a user is a student, and not one who began to sign up with the address of another. */
function isListed(connection: Connection): SQL | undefined {
  const owner = alias(accounts, "owner");
  // Not by `exists`, for which the planner may first collect the addresses of all accounts.
  const ownerId = connection
    .select({ id: owner.id })
    .from(owner)
    .where(and(eq(owner.email, accounts.email), isNotNull(owner.email_verified_at)));
  return and(eq(accounts.role, "student"), or(isNotNull(accounts.email_verified_at), isNull(ownerId)));
}

function isAfter(page: UserPage, time: SQL): SQL | undefined {
  const { after, sort } = page;
  const beyond = sort === "oldest" ? sql`>` : sql`<`;
  return after && sql`(${time}, ${orderOf(page).id}) ${beyond} (${after.time}::timestamptz, ${after.id}::uuid)`;
}
