import { and, asc, eq, getTableColumns, gt, sql, type SQL } from "drizzle-orm";
import type { PackageType } from "#domain/packages";
import { normaliseCouponInput, type CouponState } from "#domain/payments/coupon";
import type { PaymentStatus } from "#domain/payments/payment-request";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { couponCodes, paymentRequests, profiles, quotes, walletSettings } from "../../platform/db/schema.ts";
import { couponTotalParts } from "../totals/service.ts";

export type CouponRow = typeof couponCodes.$inferSelect;

/** A coupon with its requests and with the uses that open quotes hold. */
export interface UsedCouponRow extends CouponRow {
  state: CouponState;
  pending_uses: number;
  pending_usd: string;
  approved_uses: number;
  approved_usd: string;
  held_uses: number;
}

export async function findByCode(connection: Connection, code: string): Promise<CouponRow | undefined> {
  const [row] = await connection.select().from(couponCodes).where(eq(couponCodes.code, code));
  return row;
}

/** Returns a coupon, locked until the transaction ends: "share" lets others hold it too, and nobody change it. */
export async function lockByCode(tx: Transaction, code: string, lock: "update" | "share"): Promise<CouponRow | undefined> {
  const [row] = await tx.select().from(couponCodes).where(eq(couponCodes.code, code)).for(lock);
  return row;
}

/** For whom a use is held. */
export interface CouponHolder {
  userId: string;
  packageType: PackageType;
}

/** Returns the uses of a coupon that requests have and that others' open quotes hold (COUPON-7). */
export async function countOthersUses(
  connection: Connection,
  code: string,
  times: CouponTimes,
  { userId, packageType }: CouponHolder,
): Promise<number> {
  const isOther = sql`(${quotes.user_id}, ${quotes.package_type}) <> (${userId}::uuid, ${packageType})`;
  const { rows } = await connection.execute<{ uses: number }>(sql`
    select (
      coalesce((select sum(requests) from ${couponTotalParts} as parts where code = ${code} and status <> 'rejected'), 0)
      + ${heldUses(sql`${code}`, times, isOther)}
    )::integer as uses`);
  return rows[0]!.uses;
}

/**
 * Returns how many uses of a code are held: one for each student and package with an open quote that may still be submitted, so is not
 * void (GUARD-4). A student with a pending request has its use already; one who has the package cannot submit.
 */
function heldUses(code: SQL, { openAfter, madeBy }: CouponTimes, isCounted: SQL = sql`true`): SQL {
  return sql`(
    select count(distinct (${quotes.user_id}, ${quotes.package_type})) from ${quotes}
    where ${quotes.coupon_code} = ${code} and ${quotes.expires_at} > ${openAfter}
      and ${quotes.created_at} <= ${madeBy} and ${isCounted}
      and ${quotes.generation} >= (select ${walletSettings.quote_generation} from ${walletSettings})
      and not exists (select from ${paymentRequests} where ${paymentRequests.quote_id} = ${quotes.id})
      and not exists (
        select from ${paymentRequests}
        where ${paymentRequests.user_id} = ${quotes.user_id} and ${paymentRequests.package_type} = ${quotes.package_type}
          and ${paymentRequests.status} = 'pending' and ${paymentRequests.coupon_code} = ${code}
      )
      and not exists (
        select from ${profiles}
        where ${profiles.id} = ${quotes.user_id} and ${profiles.subscription_status} in (${quotes.package_type}, 'advanced')
      )
  )`;
}

/** The times by which coupons are judged: now, the end after which a quote still holds a use, and when it was made at the latest. */
export interface CouponTimes {
  now: Date;
  openAfter: Date;
  madeBy: Date;
}

export interface CouponSelection {
  /** The last code of the page before. */
  after?: string | undefined;
  state?: CouponState | undefined;
  search?: string | undefined;
  limit: number;
}

/** Returns coupons with their uses, in the order of their codes. */
export async function findAllUsed(
  connection: Connection,
  { after, state, search, limit }: CouponSelection,
  times: CouponTimes,
): Promise<UsedCouponRow[]> {
  const listed = usedCoupons(connection, times);
  const found = connection
    .select()
    .from(listed)
    .where(
      and(
        after === undefined ? undefined : gt(listed.code, after),
        state && eq(listed.state, state),
        search === undefined ? undefined : sql`strpos(${listed.code}, ${normaliseCouponInput(search)}) > 0`,
      ),
    )
    .orderBy(asc(listed.code));
  // Stryker disable next-line Query: a page cuts off the rest.
  return found.limit(limit);
}

/** Returns a coupon with its uses. */
export async function findUsedByCode(connection: Connection, code: string, times: CouponTimes): Promise<UsedCouponRow> {
  const listed = usedCoupons(connection, times);
  const [row] = await connection.select().from(listed).where(eq(listed.code, code));
  return row!;
}

function usedCoupons(connection: Connection, times: CouponTimes) {
  const { now } = times;
  const sumOf = (column: "requests" | "amount_usd", status: PaymentStatus) =>
    sql`coalesce(sum(${sql.raw(column)}) filter (where status = ${status}), 0)`;
  const totals = sql`lateral (
    select
      ${sumOf("requests", "pending")}::integer as pending_uses, ${sumOf("amount_usd", "pending")} as pending_usd,
      ${sumOf("requests", "approved")}::integer as approved_uses, ${sumOf("amount_usd", "approved")} as approved_usd
    from ${couponTotalParts} as parts where parts.code = ${couponCodes.code}
  ) as totals`;
  const uses = sql`(totals.pending_uses + totals.approved_uses)`;
  const held = sql<number>`case when ${couponCodes.max_uses} is null then 0
    else ${heldUses(sql`${couponCodes.code}`, times)}::integer end`;
  const state = sql<CouponState>`case
    when not ${couponCodes.active} then 'off'
    when ${couponCodes.ends_at} <= ${now} then 'ended'
    when ${uses} >= ${couponCodes.max_uses} then 'used_up'
    when ${couponCodes.starts_at} > ${now} then 'scheduled'
    else 'active' end`;
  return connection
    .select({
      ...getTableColumns(couponCodes),
      pending_uses: sql<number>`totals.pending_uses`.as("pending_uses"),
      pending_usd: sql<string>`totals.pending_usd`.as("pending_usd"),
      approved_uses: sql<number>`totals.approved_uses`.as("approved_uses"),
      approved_usd: sql<string>`totals.approved_usd`.as("approved_usd"),
      held_uses: held.as("held_uses"),
      state: state.as("state"),
    })
    .from(couponCodes)
    .innerJoin(totals, sql`true`)
    .as("listed");
}

/** Returns whether the coupon was inserted; false when the code is taken. */
export async function insertCoupon(connection: Connection, row: typeof couponCodes.$inferInsert): Promise<boolean> {
  const rows = await connection.insert(couponCodes).values(row).onConflictDoNothing().returning({ code: couponCodes.code });
  return rows.length > 0;
}

/** Returns the changed coupon; undefined when there is none. */
export async function updateCoupon(
  connection: Connection,
  code: string,
  changes: Partial<CouponRow>,
): Promise<CouponRow | undefined> {
  const [row] = await connection.update(couponCodes).set(changes).where(eq(couponCodes.code, code)).returning();
  return row;
}

/** Returns the deleted coupon; undefined when there is none. */
export async function deleteCoupon(connection: Connection, code: string): Promise<CouponRow | undefined> {
  const [row] = await connection.delete(couponCodes).where(eq(couponCodes.code, code)).returning();
  return row;
}
