import { useMemo, useState } from "react";

interface SteadyRowsOptions<Row> {
  isHeld: boolean;
  source: string;
  isGone?: ((row: Row) => boolean) | undefined;
  addsAll?: boolean;
}

/**
 * Returns the rows to display: those given, or, while `isHeld`, the rows as they were displayed before, each as it is now. A row that has left
 * the list then stays unless it `isGone`, one that came later at the end of the list is added, and `added` counts the others: with `addsAll` they are
 * added at the end too. A change of `source`, the list that the rows belong to, ends that; a list without rows holds nothing.
 */
export function useSteadyRows<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  { isHeld, source, isGone = never, addsAll = false }: SteadyRowsOptions<Row>,
): { rows: readonly Row[]; added: number } {
  const [before, setBefore] = useState({ rows, source });
  const holds = isHeld && before.rows.length > 0 && before.source === source;
  const shown = useMemo(
    () => (holds ? heldRows(before.rows, rows, keyOf, isGone, addsAll) : rows),
    [before, rows, keyOf, holds, isGone, addsAll],
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
  addsAll: boolean,
): readonly Row[] {
  const fresh = new Map(rows.map((row) => [keyOf(row), row]));
  const keys = new Set(before.map(keyOf));
  const isKnown = (row: Row): boolean => keys.has(keyOf(row));
  const lastKnown = rows.findLastIndex(isKnown);
  const kept = before.flatMap((row) => fresh.get(keyOf(row)) ?? (isGone(row) ? [] : [row]));
  const later = lastKnown < 0 ? [] : rows.slice(lastKnown + 1);
  const held = [...kept, ...(addsAll ? rows.filter((row) => !isKnown(row)) : later)];
  return held.length === before.length && held.every((row, index) => row === before[index]) ? before : held;
}
