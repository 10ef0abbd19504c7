import { useState } from "react";

/** Which modules are folded away, of those that the course has. */
export function useFoldedModules(names: Iterable<string>) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  return {
    folded,
    fold: (name: string, isFolded: boolean): void =>
      setFolded((before) => new Set(isFolded ? [...before, name] : [...before].filter((one) => one !== name))),
    /** Unfolds all where one is folded, else folds all. */
    foldAll: (): void => setFolded(new Set(folded.size === 0 ? names : [])),
  };
}
