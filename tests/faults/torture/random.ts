/** Numbers that look random and are the same for the same seed (Mulberry32). */
export interface Random {
  /** From 0 up to and without 1. */
  next(): number;
  between(from: number, to: number): number;
  pick<Item>(items: readonly Item[]): Item | undefined;
  /** Picks by weight. */
  weighed<Item extends { weight: number }>(items: readonly Item[]): Item;
}

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (from, to) => from + next() * (to - from),
    pick: (items) => items[Math.floor(next() * items.length)],
    weighed(items) {
      let left = next() * items.reduce((sum, { weight }) => sum + weight, 0);
      return items.find(({ weight }) => (left -= weight) < 0) ?? items.at(-1)!;
    },
  };
}
