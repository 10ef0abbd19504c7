import { mulberry32 } from "../../support/mulberry32.ts";

/** Choices that look random and are the same for the same seed. */
export interface Random {
  between(from: number, to: number): number;
  pick<Item>(items: readonly Item[]): Item | undefined;
  /** Picks by weight. */
  weighed<Item extends { weight: number }>(items: readonly Item[]): Item;
}

export function seeded(seed: number): Random {
  const next = mulberry32(seed);
  return {
    between: (from, to) => from + next() * (to - from),
    pick: (items) => items[Math.floor(next() * items.length)],
    weighed(items) {
      let left = next() * items.reduce((sum, { weight }) => sum + weight, 0);
      return items.find(({ weight }) => (left -= weight) < 0) ?? items.at(-1)!;
    },
  };
}
