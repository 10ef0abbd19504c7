import { useMemo, useState } from "react";

/**
 * Returns the rows to display: those given, or, while `isHeld`, the rows as they were displayed before, each as it is now. A row that has left
 * the list then stays unless it `isGone`, one that came later at the end of the list is added, and `added` counts the others. A change of `source`, the list that
 * the rows belong to, ends that.
 */
export function useSteadyRows<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  { isHeld, source, isGone = never }: { isHeld: boolean; source: string; isGone?: ((row: Row) => boolean) | undefined },
): { rows: readonly Row[]; added: number } {
  const [before, setBefore] = useState({ rows, source });
  const shown = useMemo(
    () => (isHeld && before.source === source ? heldRows(before.rows, rows, keyOf, isGone) : rows),
    [before, rows, keyOf, isHeld, source, isGone],
  );
  if (before.rows !== shown || before.source !== source) setBefore({ rows: shown, source });
  const added = useMemo(() => {
    if (shown === rows) return 0;
    const keys = new Set(shown.map(keyOf));
    return rows.filter((row) => !keys.has(keyOf(row))).length;
  }, [shown, rows, keyOf]);
  return { rows: shown, added };
}

const never = (): boolean => false;

/** Returns `before` itself when nothing has changed. */
function heldRows<Row>(
  before: readonly Row[],
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  isGone: (row: Row) => boolean,
): readonly Row[] {
  const fresh = new Map(rows.map((row) => [keyOf(row), row]));
  const keys = new Set(before.map(keyOf));
  const lastKnown = rows.findLastIndex((row) => keys.has(keyOf(row)));
  const kept = before.filter((row) => !isGone(row)).map((row) => fresh.get(keyOf(row)) ?? row);
  const held = [...kept, ...(lastKnown < 0 ? [] : rows.slice(lastKnown + 1))];
  return held.length === before.length && held.every((row, index) => row === before[index]) ? before : held;
}
