import { and, asc, eq, gt } from "drizzle-orm";
import type { Connection } from "../../platform/db/database.ts";
import { couponCodes } from "../../platform/db/schema.ts";

export type CouponRow = typeof couponCodes.$inferSelect;

export async function findActiveByCode(connection: Connection, code: string): Promise<CouponRow | undefined> {
  const [row] = await connection
    .select()
    .from(couponCodes)
    .where(and(eq(couponCodes.code, code), eq(couponCodes.active, true)));
  return row;
}

/** Returns coupons in the order of their codes, after `code`. */
export function findAllAfter(connection: Connection, code: string | undefined, limit: number): Promise<CouponRow[]> {
  return connection
    .select()
    .from(couponCodes)
    .where(code === undefined ? undefined : gt(couponCodes.code, code))
    .orderBy(asc(couponCodes.code))
    .limit(limit);
}

/** Returns the inserted coupon; undefined when the code is taken. */
export async function insertCoupon(connection: Connection, row: CouponRow): Promise<CouponRow | undefined> {
  const [inserted] = await connection.insert(couponCodes).values(row).onConflictDoNothing().returning();
  return inserted;
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

/** Returns whether there was such a coupon. */
export async function deleteCoupon(connection: Connection, code: string): Promise<boolean> {
  const rows = await connection.delete(couponCodes).where(eq(couponCodes.code, code)).returning({ code: couponCodes.code });
  return rows.length > 0;
}
