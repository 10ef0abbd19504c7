import { between, sql, type SQL } from "drizzle-orm";
import type { PackageType, SubscriptionStatus } from "#domain/packages";
import type { CryptoType } from "#domain/payment-methods/methods";
import type { PaymentStatus } from "#domain/payments/payment-request";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import {
  accounts,
  couponTotals,
  paymentTotalChanges,
  paymentTotals,
  profiles,
  revenueDays,
  studentChanges,
  studentSteps,
  studentTotals,
  tierTotalChanges,
  tierTotals,
} from "../../platform/db/schema.ts";

/** A group of payment requests that the totals keep apart. */
export interface PaymentTotal {
  status: PaymentStatus;
  method: CryptoType | "none";
  package_type: PackageType;
  flagged: boolean;
  requests: number;
  amount_usd: string;
}

/** Returns the totals with the changes that were not added to them yet, by one snapshot. */
export async function findAllPaymentTotals(connection: Connection): Promise<PaymentTotal[]> {
  const { rows } = await connection.execute<PaymentTotal & Record<string, unknown>>(sql`
    select status, method, package_type, flagged, sum(requests)::integer as requests, sum(amount_usd) as amount_usd from (
      select status, method, package_type, flagged, requests, amount_usd from ${paymentTotals}
      union all
      select status, method, package_type, flagged, requests, amount_usd from ${paymentTotalChanges}
    ) as parts
    group by status, method, package_type, flagged
    having sum(requests) <> 0`);
  return rows;
}

/** What was approved on a day (UTC), by method and package. */
export interface RevenueOfDay {
  day: string;
  method: CryptoType | "none";
  package_type: PackageType;
  requests: number;
  amount_usd: string;
}

/** Returns the revenue of the days from `first` to `last`, in order, without days that have none. */
export async function findAllRevenueDays(connection: Connection, first: string, last: string): Promise<RevenueOfDay[]> {
  const { rows } = await connection.execute<RevenueOfDay & Record<string, unknown>>(sql`
    select day::text, method, package_type, sum(requests)::integer as requests, sum(amount_usd) as amount_usd from (
      select day, method, package_type, requests, amount_usd from ${revenueDays}
      union all
      select day, method, package_type, requests, amount_usd from ${paymentTotalChanges}
    ) as parts
    where day between ${first} and ${last}
    group by day, method, package_type
    having sum(requests) <> 0
    order by day, method, package_type`);
  return rows;
}

/** Requests with coupons by code and status, of which several rows are to be added up: totals, and changes that were not added yet. */
export const couponTotalParts = sql`(
  select code, status, requests, amount_usd from ${couponTotals}
  union all
  select coupon_code, status, requests, amount_usd from ${paymentTotalChanges} where coupon_code is not null
)`;

/** Returns how many students have each tier; the admin is none. */
export async function findAllTierTotals(connection: Connection): Promise<{ tier: SubscriptionStatus; students: number }[]> {
  const { rows } = await connection.execute<{ tier: SubscriptionStatus; students: number }>(sql`
    select tier, sum(accounts)::integer as students from (
      select tier, accounts from ${tierTotals}
      union all
      select tier, accounts from ${tierTotalChanges}
      union all
      select subscription_status, -1 from ${profiles} join ${accounts} using (id) where role = 'admin'
    ) as parts
    group by tier`);
  return rows;
}

/** Returns how many sign-ups from day `first` to day `last` (UTC) are at each step, as the job counted last. */
export async function findAllStudentTotals(
  connection: Connection,
  first: string,
  last: string,
): Promise<{ step: number; students: number }[]> {
  return connection
    .select({ step: studentTotals.step, students: sql<number>`sum(${studentTotals.students})::integer` })
    .from(studentTotals)
    .where(between(studentTotals.joined_on, first, last))
    .groupBy(studentTotals.step);
}

/**
 * Takes at most `limit` changes out of their table, adds them in the same statement by `additions`, expressions of `with` that read
 * `changes`, and returns how many they were.
 */
async function addChanges(
  tx: Transaction,
  table: typeof paymentTotalChanges | typeof tierTotalChanges | typeof studentChanges,
  limit: number,
  additions: SQL,
): Promise<number> {
  const { rows } = await tx.execute<{ count: number }>(sql`
    with changes as (
      delete from ${table} where id in (select id from ${table} order by id limit ${limit}) returning *
    ), ${additions}
    select count(*)::integer as count from changes`);
  return rows[0]!.count;
}

/** Adds at most `limit` changes to the totals of payments and returns how many. */
export function addPaymentChanges(tx: Transaction, limit: number): Promise<number> {
  const additions = sql`
    totals as (
      insert into ${paymentTotals} as total (status, method, package_type, flagged, requests, amount_usd)
      select status, method, package_type, flagged, sum(requests), sum(amount_usd) from changes group by 1, 2, 3, 4
      on conflict (status, method, package_type, flagged) do update set
        requests = total.requests + excluded.requests, amount_usd = total.amount_usd + excluded.amount_usd
    ), coupons as (
      insert into ${couponTotals} as total (code, status, requests, amount_usd)
      select coupon_code, status, sum(requests), sum(amount_usd) from changes where coupon_code is not null group by 1, 2
      on conflict (code, status) do update set
        requests = total.requests + excluded.requests, amount_usd = total.amount_usd + excluded.amount_usd
    ), days as (
      insert into ${revenueDays} as total (day, method, package_type, requests, amount_usd)
      select day, method, package_type, sum(requests), sum(amount_usd) from changes where day is not null group by 1, 2, 3
      on conflict (day, method, package_type) do update set
        requests = total.requests + excluded.requests, amount_usd = total.amount_usd + excluded.amount_usd
    )`;
  return addChanges(tx, paymentTotalChanges, limit, additions);
}

/** Adds at most `limit` changes to the totals of tiers and returns how many. */
export function addTierChanges(tx: Transaction, limit: number): Promise<number> {
  const additions = sql`
    totals as (
      insert into ${tierTotals} as total (tier, accounts)
      select tier, sum(accounts) from changes group by 1
      on conflict (tier) do update set accounts = total.accounts + excluded.accounts
    )`;
  return addChanges(tx, tierTotalChanges, limit, additions);
}

/**
 * Counts the students of at most `limit` changes at the step where they are now, those who were deleted at the step that they had reached, and
 * one who became the admin no more. Returns how many changes that were.
 */
export function addStudentChanges(tx: Transaction, limit: number): Promise<number> {
  const additions = sql`
    students as (
      select id, (created_at at time zone 'UTC')::date as joined_on, student_step(${accounts}) as step, false as is_deleted
      from ${accounts} where id in (select account_id from changes) and role = 'student'
      union all
      select account_id, joined_on, step, true from changes where step is not null
    ), moves as (
      select students.*, counted.step as step_before
      from students left join ${studentSteps} as counted on counted.account_id = students.id
      where counted.step is distinct from students.step
    ), promoted as (
      select counted.* from ${studentSteps} as counted join ${accounts} as account on account.id = counted.account_id
      where account.role = 'admin'
    ), deleted as (
      delete from ${studentSteps} where account_id in (select id from students where is_deleted union all select account_id from promoted)
    ), steps as (
      insert into ${studentSteps} (account_id, joined_on, step)
      select id, joined_on, step from moves where not is_deleted
      on conflict (account_id) do update set step = excluded.step
    ), totals as (
      insert into ${studentTotals} as total (joined_on, step, students)
      select joined_on, step, sum(students) from (
        select joined_on, step, 1 as students from moves
        union all
        select joined_on, step_before, -1 from moves where step_before is not null
        union all
        select joined_on, step, -1 from promoted
      ) as sums
      group by joined_on, step
      on conflict (joined_on, step) do update set students = total.students + excluded.students
    )`;
  return addChanges(tx, studentChanges, limit, additions);
}
