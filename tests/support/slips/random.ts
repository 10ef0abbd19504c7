import { mulberry32 } from "../mulberry32.ts";

/** Random numbers that a seed repeats. */
export interface Random {
  /** Returns a number from `low` up to `high`. */
  between(low: number, high: number): number;
  /** Returns a whole number from `low` to `high`. */
  whole(low: number, high: number): number;
  pick<Item>(items: readonly Item[]): Item;
  text(alphabet: string, length: number): string;
}

export function randomOf(seed: number): Random {
  const next = mulberry32(seed);
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    between: (low, high) => low + next() * (high - low),
    whole,
    pick: (items) => items[whole(0, items.length - 1)]!,
    text: (alphabet, length) => Array.from({ length }, () => alphabet[whole(0, alphabet.length - 1)]).join(""),
  };
}
