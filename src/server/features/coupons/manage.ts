import type { Coupon } from "#domain/api/coupons";
import { ProductError } from "#domain/messages";
import { canonical } from "#domain/money";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor } from "../../platform/audit.ts";
import type { Connection } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { cursorKey, decodeCursor, maxPageSize, pageOf } from "../../platform/http/cursor.ts";
import * as queries from "./queries.ts";

const attempts = { name: "coupon", points: 20, seconds: 600 };

/**
 * The active coupon that a student typed: exact match after outer blanks are cut (COUPON-1).
 * Attempts are counted per account. Throws `coupon_empty`, `coupon_invalid` or `too_many_requests`.
 */
export async function findCoupon(deps: Dependencies, accountId: string, typed: string): Promise<Coupon> {
  const code = typed.trim();
  if (code === "") throw new ProductError("coupon_empty");
  await deps.limits.consume(attempts, accountId);
  return requireActiveCoupon(deps.db, code);
}

/** The active coupon with exactly this code; throws `coupon_invalid`. */
export async function requireActiveCoupon(connection: Connection, code: string): Promise<Coupon> {
  const row = await queries.findActive(connection, code);
  if (!row) throw new ProductError("coupon_invalid");
  return shown(row);
}

/** Every coupon in the order of the codes, a page at a time. */
export async function listCoupons(
  deps: Dependencies,
  page: { limit?: number | undefined; cursor?: string | undefined },
): Promise<{ items: Coupon[]; next_cursor: string | null }> {
  const limit = page.limit ?? maxPageSize;
  const after = page.cursor === undefined ? undefined : decodeCursor(page.cursor, [cursorKey.text])[0];
  const found = pageOf(await queries.listAfter(deps.db, after, limit + 1), limit, (row) => [row.code]);
  return { ...found, items: found.items.map(shown) };
}

/** Adds a coupon; percents are decimal strings from 0 to 100. Throws `coupon_exists`. */
export function createCoupon(deps: Dependencies, actor: Actor, coupon: Coupon): Promise<Coupon> {
  return transaction(deps.db, async (tx) => {
    const row = await queries.insert(tx, coupon);
    if (!row) throw new ProductError("coupon_exists");
    await audit(deps, tx, actor, "coupon.create", coupon.code, { ...coupon });
    return shown(row);
  });
}

/** Changes percents or switches a coupon on or off; open quotes keep what they promised. Throws `not_found`. */
export function updateCoupon(
  deps: Dependencies,
  actor: Actor,
  code: string,
  changes: Partial<Omit<Coupon, "code">>,
): Promise<Coupon> {
  if (Object.keys(changes).length === 0) throw new ProductError("invalid_input");
  return transaction(deps.db, async (tx) => {
    const row = await queries.update(tx, code, changes);
    if (!row) throw new ProductError("not_found");
    await audit(deps, tx, actor, "coupon.update", code, changes);
    return shown(row);
  });
}

/** Deletes a coupon; requests that used it keep its code and percent. Throws `not_found`. */
export function removeCoupon(deps: Dependencies, actor: Actor, code: string): Promise<void> {
  return transaction(deps.db, async (tx) => {
    if (!(await queries.remove(tx, code))) throw new ProductError("not_found");
    await audit(deps, tx, actor, "coupon.delete", code, {});
  });
}

function shown(row: queries.CouponRow): Coupon {
  return {
    ...row,
    discount_starter: canonical(row.discount_starter),
    discount_advanced: canonical(row.discount_advanced),
  };
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
