import { exportFilters, type ExportName } from "#domain/api/exports";
import { ProductError } from "#domain/errors/messages";
import type { CsvTable } from "../../platform/csv.ts";
import type { Connection } from "../../platform/db/database.ts";
import { exportAudit } from "../audit/service.ts";
import { exportMonths, exportPayments } from "../payment-requests/service.ts";
import { exportUsers } from "../users/service.ts";

/** A table with the filters that it was asked for. */
export interface FilteredTable {
  filters: Record<string, unknown>;
  read: (connection: Connection) => CsvTable;
}

/** Returns the table of a name; `query` are its filters as text. Throws `invalid_input`. */
export function tableOf(name: ExportName, query: unknown): FilteredTable {
  switch (name) {
    case "payments":
      return filtered(exportFilters[name].safeParse(query), exportPayments);
    case "users":
      return filtered(exportFilters[name].safeParse(query), exportUsers);
    case "audit":
      return filtered(exportFilters[name].safeParse(query), exportAudit);
    case "months":
      return filtered(exportFilters[name].safeParse(query), exportMonths);
  }
}

function filtered<Filters extends Record<string, unknown>>(
  parsed: { success: true; data: Filters } | { success: false },
  read: (connection: Connection, filters: Filters) => CsvTable,
): FilteredTable {
  if (!parsed.success) throw new ProductError("invalid_input");
  return { filters: parsed.data, read: (connection) => read(connection, parsed.data) };
}
