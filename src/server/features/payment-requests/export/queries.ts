import { asc, inArray, sql } from "drizzle-orm";
import type { PackageType } from "#domain/packages";
import type { CryptoType } from "#domain/payment-methods/methods";
import type { Connection } from "../../../platform/db/database.ts";
import { cancelledReceipts, paymentRequests } from "../../../platform/db/schema.ts";

/** Returns the numbers of cancelled receipts by the id of their request, oldest first. */
export async function findAllCancelledNumbers(connection: Connection, requestIds: string[]): Promise<Map<string, string[]>> {
  const { request_id, receipt_number, cancelled_at } = cancelledReceipts;
  const rows = await connection
    .select({ request_id, receipt_number })
    .from(cancelledReceipts)
    .where(inArray(request_id, requestIds))
    .orderBy(asc(cancelled_at));
  const found = new Map<string, string[]>();
  for (const row of rows) found.set(row.request_id, [...(found.get(row.request_id) ?? []), row.receipt_number]);
  return found;
}

/** Receipts of one month, method and package: those that hold, or those that were cancelled. */
export interface MonthRow {
  month: string;
  receipts: "valid" | "cancelled";
  crypto_type: CryptoType | null;
  package_type: PackageType;
  count: number;
  amount_usd: string;
  /** In the method's currency, as due or, where it is known, as received. */
  amount: string | null;
}

/** Returns the totals of every month in which a receipt was issued, in UTC, oldest first. */
export async function findAllMonths(connection: Connection): Promise<MonthRow[]> {
  const { rows } = await connection.execute<MonthRow & Record<string, unknown>>(sql`
    select
      to_char(issued_at at time zone 'UTC', 'YYYY-MM') as month,
      receipts, crypto_type, package_type,
      count(*)::int as count,
      sum(amount_usd)::text as amount_usd,
      sum(amount)::text as amount
    from (
      select decided_at as issued_at, 'valid' as receipts, crypto_type, package_type, amount_usd,
        coalesce(amount_received, amount_crypto) as amount
      from ${paymentRequests}
      where status = 'approved'
      union all
      select approved_at, 'cancelled', request.crypto_type, request.package_type, request.amount_usd,
        coalesce(receipt.amount_received, request.amount_crypto)
      from ${cancelledReceipts} as receipt
      join ${paymentRequests} as request on request.id = receipt.request_id
    ) as issued
    group by 1, 2, 3, 4
    order by 1, 2 desc, 3, 4`);
  return rows;
}
