import type { Coupon, CouponChanges, CouponFilter, NewCoupon } from "#domain/api/payments/coupons";
import { ProductError } from "#domain/errors/messages";
import { isCouponPeriod, isSteep } from "#domain/payments/coupon";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor, type AuditedChange, type ChangeAction } from "../../platform/audit.ts";
import type { Connection } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { requireProven, type Principal } from "../../platform/http/access.ts";
import { cursorKey, decodeCursor, maxPageSize, pageOf, type Page, type PageQuery } from "../../platform/http/cursor.ts";
import * as queries from "./queries.ts";
import { timesAt } from "./uses.ts";
import { couponView } from "./views.ts";

/** Returns a page of coupons in the order of their codes, with their uses (COUPON-8). Throws `invalid_input` for a malformed cursor. */
export async function listCoupons(
  deps: Dependencies,
  { limit = maxPageSize, cursor, ...filter }: CouponFilter & PageQuery,
): Promise<Page<Coupon>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, [cursorKey.text])[0];
  const rows = await queries.findAllUsed(deps.db, { ...filter, after, limit: limit + 1 }, timesAt(deps.clock.now()));
  const found = pageOf(rows, limit, (row) => [row.code]);
  return { ...found, items: found.items.map(couponView) };
}

/** Adds a coupon and returns it. Throws `coupon_exists`, or `step_up_needed` for 90% and more (STEPUP-2). */
export function createCoupon(deps: Dependencies, principal: Principal, actor: Actor, coupon: NewCoupon): Promise<Coupon> {
  return transaction(deps.db, async (tx) => {
    if (isSteep(coupon)) requireProven(principal, deps.clock.now());
    const isNew = await queries.insertCoupon(tx, columnsOf(coupon));
    if (!isNew) throw new ProductError("coupon_exists");
    await audit(deps, tx, actor, "coupon.create", coupon.code, { after: coupon });
    return usedCoupon(deps, tx, coupon.code);
  });
}

/**
 * Changes a coupon and returns it; quotes keep their figures (COUPON-3). Throws `not_found`, `invalid_input` without any change or
 * for an end that is not after the start, or `step_up_needed` for a coupon that becomes one of 90% and more, or is one and active (STEPUP-2).
 */
export function updateCoupon(
  deps: Dependencies,
  principal: Principal,
  actor: Actor,
  code: string,
  changes: CouponChanges,
): Promise<Coupon> {
  const names = Object.keys(changes) as (keyof CouponChanges)[];
  if (names.length === 0) throw new ProductError("invalid_input");
  return transaction(deps.db, async (tx) => {
    const before = await queries.lockByCode(tx, code, "update");
    if (!before) throw new ProductError("not_found");
    const wanted = { ...before, ...columnsOf(changes) };
    if (!isCouponPeriod(wanted.starts_at, wanted.ends_at)) throw new ProductError("invalid_input");
    if (isSteep(wanted) && (wanted.active || !isSteep(before))) requireProven(principal, deps.clock.now());
    await queries.updateCoupon(tx, code, wanted);
    const changed = (row: queries.CouponRow) => Object.fromEntries(names.map((name) => [name, row[name]]));
    await audit(deps, tx, actor, "coupon.update", code, { before: changed(before), after: changed(wanted) });
    return usedCoupon(deps, tx, code);
  });
}

/** Deletes a coupon; requests keep its code and percent (COUPON-3). Throws `not_found`. */
export function deleteCoupon(deps: Dependencies, actor: Actor, code: string): Promise<void> {
  return transaction(deps.db, async (tx) => {
    const before = await queries.deleteCoupon(tx, code);
    if (!before) throw new ProductError("not_found");
    await audit(deps, tx, actor, "coupon.delete", code, { before });
  });
}

/** Returns the columns that the given terms set. */
function columnsOf<Terms extends CouponChanges>({ starts_at, ends_at, ...rest }: Terms) {
  return {
    ...rest,
    ...(starts_at !== undefined && { starts_at: starts_at === null ? null : new Date(starts_at) }),
    ...(ends_at !== undefined && { ends_at: ends_at === null ? null : new Date(ends_at) }),
  };
}

async function usedCoupon(deps: Dependencies, connection: Connection, code: string): Promise<Coupon> {
  return couponView(await queries.findUsedByCode(connection, code, timesAt(deps.clock.now())));
}

function audit(
  deps: Dependencies,
  connection: Connection,
  actor: Actor,
  action: ChangeAction,
  id: string,
  details: AuditedChange,
): Promise<void> {
  return recordAudit(connection, actor, { at: deps.clock.now(), action, subject: { type: "coupon", id }, details });
}
