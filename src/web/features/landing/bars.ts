/** One period of the market: where it opened, went and closed. */
export interface Bar {
  open: number;
  close: number;
  high: number;
  low: number;
}

/** Closes of a made-up market: a fall, a break of structure, a return to the zone, and what follows. */
const closes = [
  70, 73, 67, 62, 64, 57, 52, 48, 51, 55, 53, 47, 41, 36, 33, 29, 35, 44, 52, 59, 63, 60, 54, 48, 42, 38, 43, 50, 55, 53, 61,
  68, 66, 74, 80, 87,
];
const wicks = [3, 1.5, 2.5, 1, 2, 3.5, 1.2];

/** The chart's prices, for the page and for the picture that the build draws of it. */
export const bars: Bar[] = closes.map((close, index) => {
  const open = closes[index - 1] ?? 66;
  return {
    open,
    close,
    high: Math.max(open, close) + (wicks[index % wicks.length] ?? 1),
    low: Math.min(open, close) - (wicks[(index * 3 + 2) % wicks.length] ?? 1),
  };
});
