import { useRef, useState } from "react";

export interface Selection {
  /** In the order of the list, without what has disappeared. */
  ids: string[];
  has: (id: string) => boolean;
  /** Selects one or not; with `isRange` also all between it and the one before. */
  toggle: (id: string, isRange: boolean) => void;
  setAll: (ids: readonly string[], isOn: boolean) => void;
  clear: () => void;
}

/** Which rows of a list are selected; `all` are its rows from top to bottom. */
export function useSelection(all: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string>(undefined);
  const setAll = (ids: readonly string[], isOn: boolean): void =>
    setChosen((before) => {
      const after = new Set(before);
      for (const id of ids) {
        if (isOn) after.add(id);
        else after.delete(id);
      }
      return after;
    });
  return {
    ids: all.filter((id) => chosen.has(id)),
    has: (id) => chosen.has(id),
    setAll,
    toggle: (id, isRange) => {
      const ends = [all.indexOf(id), all.indexOf(isRange ? (last.current ?? id) : id)].sort((a, b) => a - b);
      const range = ends[0]! < 0 ? [id] : all.slice(ends[0], ends[1]! + 1);
      last.current = id;
      setAll(range, !chosen.has(id));
    },
    clear: () => setChosen(new Set()),
  };
}
