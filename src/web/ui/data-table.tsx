import type { ReactNode } from "react";
import { cx } from "./cx.ts";

export interface Column<Row> {
  name: string;
  cell: (row: Row) => ReactNode;
  /** Figures stand at the right in the table. */
  isFigure?: boolean;
  /** The column that names the row. */
  isHeader?: boolean;
}

interface DataTableProps<Row> {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
}

/** A table on a wide screen, a card a row on a narrow one: one markup, so that both read alike. */
export function DataTable<Row>({ caption, columns, rows, keyOf }: DataTableProps<Row>): ReactNode {
  return (
    <table role="table" className="block w-full lg:table">
      <caption className="sr-only">{caption}</caption>
      <thead className="hidden lg:table-header-group" role="rowgroup">
        <tr role="row" className="border-b border-line text-left text-small text-muted">
          {columns.map((column) => (
            <th
              key={column.name}
              scope="col"
              role="columnheader"
              className={cx("px-3 py-2 font-medium", column.isFigure && "text-right")}
            >
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="grid gap-3 md:grid-cols-2 lg:table-row-group">
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            role="row"
            className="block rounded-panel border border-line bg-surface p-4 lg:table-row lg:border-0 lg:border-b lg:bg-transparent lg:p-0"
          >
            {columns.map((column) => (
              <Cell key={column.name} column={column}>
                {column.cell(row)}
              </Cell>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell<Row>({ column, children }: { column: Column<Row>; children: ReactNode }): ReactNode {
  const look = cx(
    "py-1.5 text-left align-middle font-normal lg:table-cell lg:px-3 lg:py-3",
    // On a card a name without a value would say nothing.
    column.isHeader ? "block" : "flex items-baseline justify-between gap-4 max-lg:has-[>div:empty]:hidden",
    column.isFigure && "figures lg:text-right",
  );
  const Tag = column.isHeader ? "th" : "td";
  return (
    <Tag role={column.isHeader ? "rowheader" : "cell"} scope={column.isHeader ? "row" : undefined} className={look}>
      {!column.isHeader && (
        <span aria-hidden className="shrink-0 text-small text-muted lg:hidden">
          {column.name}
        </span>
      )}
      <div className={cx("min-w-0", !column.isHeader && "text-right", !column.isFigure && "lg:text-left")}>{children}</div>
    </Tag>
  );
}
