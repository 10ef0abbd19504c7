import { canonical } from "#domain/money";
import { paymentMethod } from "#domain/payment-methods/methods";
import type { CsvTable } from "../../../platform/csv.ts";
import type { Connection } from "../../../platform/db/database.ts";
import { findAllMonths, type MonthRow } from "./queries.ts";

/** Returns the receipts of each month by method and package, with cancelled ones on lines of their own (EXPORT-3). */
export function exportMonths(connection: Connection): CsvTable {
  return {
    columns: ["month", "receipts", "method", "package", "count", "amount_usd", "amount", "currency"],
    batches: batches(connection),
  };
}

async function* batches(connection: Connection) {
  yield (await findAllMonths(connection)).map(valuesOf);
}

function valuesOf({ month, receipts, crypto_type, package_type, count, amount_usd, amount }: MonthRow) {
  const unit = crypto_type === null ? null : paymentMethod(crypto_type).currency;
  const sum = amount === null ? null : canonical(amount);
  return [month, receipts, crypto_type ?? "none", package_type, count, canonical(amount_usd), sum, unit];
}
