import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { useRef, type CSSProperties, type ReactNode } from "react";
import { Button } from "../../../ui/button.tsx";
import { cx } from "../../../ui/cx.ts";
import { Cell, ColumnNames, type Column } from "../../../ui/data-table.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { useMedia } from "../../../ui/use-media.ts";
import { useHold } from "./use-hold.ts";
import { useSteadyRows } from "./use-steady-rows.ts";
import { useVirtualRows } from "./use-virtual-rows.ts";

export interface ListColumn<Row> extends Column<Row> {
  /** Its share of a wide table, as a track of a CSS grid. */
  track: string;
}

interface VirtualTableProps<Row> {
  caption: string;
  /** What the rows are: singular and plural. */
  nouns: [string, string];
  columns: readonly ListColumn<Row>[];
  list: UseInfiniteQueryResult<Row[]>;
  keyOf: (row: Row) => string;
  /** Names the list and its filters: rows of one source are held, those of another replace them. */
  source: string;
  /** Rows that were deleted here: they leave a held list once it is read without them. */
  isGone?: (row: Row) => boolean;
  /** In place of a table without rows. */
  empty?: ReactNode;
}

/**
 * A list of any length, on the page's own scroll: a table on a wide screen, a card a row on a narrow one. Only the rows near the screen, and the
 * one with the focus, are in the document. Pages are read before their end is reached (LIST-5). While the pointer or the keyboard's focus is
 * in the list, no row moves (LIST-6).
 */
export function VirtualTable<Row>({
  caption,
  nouns,
  columns,
  list,
  keyOf,
  source,
  isGone,
  empty,
}: VirtualTableProps<Row>): ReactNode {
  const isWide = useMedia("(width >= 64rem)");
  const body = useRef<HTMLTableSectionElement>(null);
  const hold = useHold();
  // The rows of the filters before are no reason to hold anything when those of the new filters come.
  const rowsSource = list.isPlaceholderData ? `${source}, not yet read` : source;
  const { rows, added } = useSteadyRows(list.data ?? [], keyOf, { isHeld: hold.isHeld, source: rowsSource, isGone });
  const { items, height, measure } = useVirtualRows({ body, rows, keyOf, isWide, list, source });
  return (
    <div {...hold.area} className="relative" aria-busy={list.isPlaceholderData}>
      {added > 0 && (
        <Button
          variant="primary"
          size="compact"
          className="absolute inset-x-0 -top-4 z-20 mx-auto w-fit"
          onClick={() => {
            hold.release();
            window.scrollTo({ top: 0 });
          }}
        >
          Show {added} new {nouns[added === 1 ? 0 : 1]}
        </Button>
      )}
      {rows.length === 0 && empty}
      <table
        hidden={rows.length === 0}
        role="table"
        aria-rowcount={list.hasNextPage ? -1 : rows.length + 1}
        className={cx("w-full not-[[hidden]]:block", list.isPlaceholderData && "opacity-60")}
        style={{ "--columns": columns.map(({ track }) => track).join(" ") } as CSSProperties}
      >
        <caption className="sr-only">{caption}</caption>
        <thead
          data-sticky-head
          role="rowgroup"
          className="sticky top-[calc(4rem+var(--notice,0rem))] z-10 hidden border-b border-line bg-ground lg:block"
        >
          <tr role="row" aria-rowindex={1} className="grid grid-cols-(--columns) items-end text-left text-small text-muted">
            <ColumnNames columns={columns} />
          </tr>
        </thead>
        {/* What gets the focus stops below the column names that stay. */}
        <tbody ref={body} role="rowgroup" className="relative block lg:**:scroll-mt-12" style={{ height }}>
          {items.map(({ index, key, top }) => (
            <tr
              key={key}
              ref={measure}
              data-index={index}
              role="row"
              aria-rowindex={index + 2}
              className="absolute inset-x-0 grid rounded-panel border border-line bg-surface p-4 sm:grid-cols-2 sm:gap-x-8 lg:grid-cols-(--columns) lg:items-center lg:gap-x-0 lg:rounded-none lg:border-0 lg:border-b lg:bg-transparent lg:p-0"
              style={{ top }}
            >
              {columns.map((column) => (
                <Cell
                  key={column.name}
                  column={column}
                  className={cx("min-w-0 items-center lg:block", column.isHeader && "sm:col-span-full lg:col-span-1")}
                >
                  {column.cell(rows[index]!)}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <End list={list} />
    </div>
  );
}

/** Below the last row: that more are being read, or that they could not be. */
function End({ list }: { list: UseInfiniteQueryResult }): ReactNode {
  return (
    <div
      role="status"
      className="mt-4 flex min-h-11 flex-wrap items-center justify-center gap-3 text-small text-muted empty:hidden"
    >
      {list.isFetchNextPageError ? (
        <>
          The next rows could not be loaded.
          <Button variant="secondary" size="small" onClick={() => void list.fetchNextPage()}>
            Try again
          </Button>
        </>
      ) : (
        list.isFetchingNextPage && (
          <>
            <Spinner /> Loading more…
          </>
        )
      )}
    </div>
  );
}
