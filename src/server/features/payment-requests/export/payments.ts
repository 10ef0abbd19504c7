import type { ListSort } from "#domain/api/fields";
import { canonical } from "#domain/money";
import { paymentMethod } from "#domain/payment-methods/methods";
import { discounted } from "#domain/payments/quote";
import { inBatches, type CsvTable, type CsvValue } from "../../../platform/csv.ts";
import type { Connection } from "../../../platform/db/database.ts";
import type { ReviewFilter } from "../list/conditions.ts";
import { findAllForReview, type ListedRow } from "../list/queries.ts";
import { findAllCancelledNumbers } from "./queries.ts";

type ExportedRow = ListedRow & { cancelled: string[] };

/** Each column with its value of a request. Amounts are decimals; times are in UTC. */
const columns: Record<string, (row: ExportedRow) => CsvValue> = {
  id: ({ id }) => id,
  receipt_number: ({ receipt_number }) => receipt_number,
  cancelled_receipts: ({ cancelled }) => cancelled.join(" "),
  status: ({ status }) => status,
  submitted_at: ({ created_at }) => created_at,
  decided_at: ({ decided_at }) => decided_at,
  decided_by: ({ decided_by }) => decided_by,
  email: ({ payer_email }) => payer_email,
  full_name: ({ payer_full_name }) => payer_full_name,
  package: ({ package_type }) => package_type,
  original_usd: ({ original_usd }) => canonical(original_usd),
  coupon_code: ({ coupon_code }) => coupon_code,
  discount_percent: ({ discount_percent }) => canonical(discount_percent),
  discount_usd: ({ original_usd, discount_percent }) => discounted(original_usd, discount_percent).discountUsd,
  upgrade_credit_usd: ({ upgrade_credit_usd }) => canonical(upgrade_credit_usd),
  amount_usd: ({ amount_usd }) => canonical(amount_usd),
  method: ({ crypto_type }) => crypto_type,
  currency: ({ crypto_type }) => (crypto_type === null ? null : paymentMethod(crypto_type).currency),
  amount_due: ({ amount_crypto }) => amount_crypto,
  amount_received: ({ amount_received }) => amount_received,
  destination: ({ wallet_address }) => wallet_address,
  reference: ({ reference }) => reference,
  rejection_reason: ({ rejection_reason }) => rejection_reason,
  note: ({ note }) => note,
  resubmits: ({ resubmits }) => resubmits,
};

/** Returns the payment requests as a table, in the order of the list, with all that a bookkeeper needs (EXPORT-1). */
export function exportPayments(
  connection: Connection,
  { sort = "newest", ...filter }: ReviewFilter & { sort?: ListSort | undefined },
): CsvTable {
  return {
    columns: Object.keys(columns),
    batches: inBatches<ExportedRow>(
      async (last, limit) => {
        const after = last && { createdAt: last.created_at_exact, id: last.id };
        const rows = await findAllForReview(connection, { filter, sort, after, limit });
        const cancelled = await findAllCancelledNumbers(
          connection,
          rows.map(({ id }) => id),
        );
        return rows.map((row) => ({ ...row, cancelled: cancelled.get(row.id) ?? [] }));
      },
      (row) => Object.values(columns).map((valueOf) => valueOf(row)),
    ),
  };
}
