import type { ReactNode } from "react";
import { cx } from "./cx.ts";

export interface Column<Row> {
  name: string;
  cell: (row: Row) => ReactNode;
  /** Figures stand at the right in the table. */
  isFigure?: boolean;
  /** Sentences: on a card they are flush left, below the column's name where they are too long to stand beside it. */
  isText?: boolean;
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
          <ColumnNames columns={columns} />
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
              <Cell key={column.name} column={column} className="items-baseline lg:table-cell">
                {column.cell(row)}
              </Cell>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The cells of a table's first row. */
export function ColumnNames<Row>({ columns }: { columns: readonly Column<Row>[] }): ReactNode {
  return columns.map(({ name, isFigure }) => (
    <th key={name} scope="col" role="columnheader" className={cx("px-3 py-2 font-medium", isFigure && "text-right")}>
      {name}
    </th>
  ));
}

interface CellProps<Row> {
  column: Column<Row>;
  className: string;
  children: ReactNode;
}

/** A cell of a row; on a card it has the column's name before its value. */
export function Cell<Row>({ column, className, children }: CellProps<Row>): ReactNode {
  const { name, isHeader, isFigure, isText } = column;
  const look = cx(
    "py-1.5 text-left align-middle font-normal lg:px-3 lg:py-3",
    // On a card a name without a value would say nothing.
    isHeader ? "block" : "flex justify-between gap-4 max-lg:has-[>div:empty]:hidden",
    isFigure && "figures lg:text-right",
    isText && "flex-wrap gap-y-1",
    className,
  );
  const Tag = isHeader ? "th" : "td";
  return (
    <Tag role={isHeader ? "rowheader" : "cell"} scope={isHeader ? "row" : undefined} className={look}>
      {!isHeader && (
        <span aria-hidden className="shrink-0 text-small text-muted lg:hidden">
          {name}
        </span>
      )}
      <div className={cx("min-w-0", !isHeader && !isText && "text-right", !isFigure && "lg:text-left")}>{children}</div>
    </Tag>
  );
}
