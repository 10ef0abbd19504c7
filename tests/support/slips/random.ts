/** Random numbers that a seed repeats. */
export interface Random {
  /** Returns a number from `low` up to `high`. */
  between(low: number, high: number): number;
  /** Returns a whole number from `low` to `high`. */
  whole(low: number, high: number): number;
  pick<Item>(items: readonly Item[]): Item;
  text(alphabet: string, length: number): string;
}

/** Mulberry32, a small generator that is good enough for pictures. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    between: (low, high) => low + next() * (high - low),
    whole,
    pick: (items) => items[whole(0, items.length - 1)]!,
    text: (alphabet, length) => Array.from({ length }, () => alphabet[whole(0, alphabet.length - 1)]).join(""),
  };
}
