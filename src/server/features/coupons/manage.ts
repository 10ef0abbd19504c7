import type { Coupon } from "#domain/api/coupons";
import { ProductError } from "#domain/errors/messages";
import { isSteep } from "#domain/payments/coupon";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor } from "../../platform/audit.ts";
import type { Connection } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { requireProven, type Principal } from "../../platform/http/access.ts";
import { cursorKey, decodeCursor, maxPageSize, pageOf } from "../../platform/http/cursor.ts";
import * as queries from "./queries.ts";
import { couponView } from "./views.ts";

/** Returns a page of coupons in the order of their codes. Throws `invalid_input` for a malformed cursor. */
export async function listCoupons(
  deps: Dependencies,
  page: { limit?: number | undefined; cursor?: string | undefined },
): Promise<{ items: Coupon[]; next_cursor: string | null }> {
  const limit = page.limit ?? maxPageSize;
  const after = page.cursor === undefined ? undefined : decodeCursor(page.cursor, [cursorKey.text])[0];
  const found = pageOf(await queries.findAllAfter(deps.db, after, limit + 1), limit, (row) => [row.code]);
  return { ...found, items: found.items.map(couponView) };
}

/**
 * Adds a coupon and returns it; percents are decimal strings from 0 to 100. Throws `coupon_exists`, or `step_up_needed` for 90% and
 * more (STEPUP-2).
 */
export function createCoupon(deps: Dependencies, principal: Principal, actor: Actor, coupon: Coupon): Promise<Coupon> {
  return transaction(deps.db, async (tx) => {
    const row = await queries.insertCoupon(tx, coupon);
    if (isSteep(coupon)) requireProven(principal, deps.clock.now());
    if (!row) throw new ProductError("coupon_exists");
    await audit(deps, tx, actor, "coupon.create", coupon.code, { ...coupon });
    return couponView(row);
  });
}

/**
 * Changes a coupon and returns it; quotes keep their figures (COUPON-3). Throws `not_found`, `invalid_input` without any change, or
 * `step_up_needed` for an active coupon of 90% and more (STEPUP-2).
 */
export function updateCoupon(
  deps: Dependencies,
  principal: Principal,
  actor: Actor,
  code: string,
  changes: Partial<Omit<Coupon, "code">>,
): Promise<Coupon> {
  if (Object.keys(changes).length === 0) throw new ProductError("invalid_input");
  return transaction(deps.db, async (tx) => {
    const row = await queries.updateCoupon(tx, code, changes);
    if (!row) throw new ProductError("not_found");
    if (row.active && isSteep(row)) requireProven(principal, deps.clock.now());
    await audit(deps, tx, actor, "coupon.update", code, changes);
    return couponView(row);
  });
}

/** Deletes a coupon; requests keep its code and percent (COUPON-3). Throws `not_found`. */
export function deleteCoupon(deps: Dependencies, actor: Actor, code: string): Promise<void> {
  return transaction(deps.db, async (tx) => {
    if (!(await queries.deleteCoupon(tx, code))) throw new ProductError("not_found");
    await audit(deps, tx, actor, "coupon.delete", code, {});
  });
}

function audit(
  deps: Dependencies,
  connection: Connection,
  actor: Actor,
  action: string,
  code: string,
  details: Record<string, unknown>,
): Promise<void> {
  return recordAudit(connection, actor, { at: deps.clock.now(), action, subject: { type: "coupon", id: code }, details });
}
