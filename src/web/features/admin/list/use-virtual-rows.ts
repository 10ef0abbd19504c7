import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { defaultRangeExtractor, useWindowVirtualizer, type Range, type VirtualItem } from "@tanstack/react-virtual";
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { useFurtherPage } from "../../../platform/query/use-further-page.ts";

/** About the height of a row in pixels; each is measured once it is rendered. */
const estimate = { wide: 69, narrow: 220 };
/** Between cards, in pixels. */
const gap = 12;
/** Rows left below the screen when the next page is asked for. */
const ahead = 20;

/** The heights of the rows of lists that were left, so that Back finds its place. */
const heights = new Map<string, VirtualItem[]>();

interface VirtualRowsOptions<Row> {
  body: RefObject<HTMLElement | null>;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  isWide: boolean;
  list: UseInfiniteQueryResult;
  source: string;
}

/** Returns the rows to render with their places in pixels below the top of the list's body, and asks for further pages in time. */
export function useVirtualRows<Row>({ body, rows, keyOf, isWide, list, source }: VirtualRowsOptions<Row>) {
  const top = useTopOf(body);
  // oxlint-disable-next-line react/incompatible-library -- the React compiler, which cannot handle it, is not used here
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: rows.length,
    getItemKey: useCallback((index: number) => keyOf(rows[index]!), [rows, keyOf]),
    estimateSize: () => (isWide ? estimate.wide : estimate.narrow),
    gap: isWide ? 0 : gap,
    overscan: 8,
    scrollMargin: top,
    // The page scrolls smoothly by default, which corrections must not.
    scrollToFn: (offset, { adjustments = 0 }) => window.scrollTo({ top: offset + adjustments, behavior: "instant" }),
    // Without a layout, as in a hidden panel, a row keeps what it is estimated to have.
    measureElement: (row) => row.offsetHeight || (isWide ? estimate.wide : estimate.narrow),
    rangeExtractor: (range) => withFocusedRow(range, body.current),
    initialMeasurementsCache: heights.get(source) ?? [],
  });
  useEffect(() => () => void heights.set(source, virtualizer.measurementsCache), [source, virtualizer]);

  useAnchor(rows, keyOf, virtualizer, top);
  const items = virtualizer.getVirtualItems();
  const isNearEnd = (items.at(-1)?.index ?? -1) >= rows.length - ahead;
  useFurtherPage(list, isNearEnd);

  return {
    items: items.map(({ index, key, start }) => ({ index, key: String(key), top: start - top })),
    height: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
  };
}

/** Returns how far an element is below the top of the page, in pixels. */
function useTopOf(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const look = (): void => {
      if (element.current) setTop(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
    };
    look();
    // What stands above the list comes and goes.
    const watch = new ResizeObserver(look);
    watch.observe(document.body);
    return () => watch.disconnect();
  }, [element]);
  return top;
}

/** The row with the focus stays in the document, however far one scrolls. */
function withFocusedRow(range: Range, body: HTMLElement | null): number[] {
  const indexes = defaultRangeExtractor(range);
  const row = body?.contains(document.activeElement) ? document.activeElement?.closest<HTMLElement>("[data-index]") : undefined;
  const focused = Number(row?.dataset["index"] ?? -1);
  if (focused < 0 || focused >= range.count || indexes.includes(focused)) return indexes;
  return [...indexes, focused].sort((one, other) => one - other);
}

/** Keeps the first row on the screen where it is when rows above it come or go. */
function useAnchor<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  virtualizer: ReturnType<typeof useWindowVirtualizer<HTMLTableRowElement>>,
  top: number,
): void {
  const anchor = useRef<{ key: string; start: number; top: number }>(undefined);
  useLayoutEffect(() => {
    const before = anchor.current;
    if (before === undefined || before.top !== top) return;
    const index = rows.findIndex((row) => keyOf(row) === before.key);
    const start = virtualizer.measurementsCache[index]?.start;
    if (start !== undefined && start !== before.start) window.scrollBy({ top: start - before.start, behavior: "instant" });
  }, [rows, keyOf, virtualizer, top]);
  useEffect(() => {
    const offset = window.scrollY;
    const first = offset > top ? virtualizer.getVirtualItemForOffset(offset) : undefined;
    anchor.current = first && { key: String(first.key), start: first.start, top };
  });
}
