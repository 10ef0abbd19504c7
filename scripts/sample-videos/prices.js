// @ts-check
import { across, clamp, colours, dice, eased, mix, part, through } from "./stage.js";

/** @typedef {import("./stage.js").Stage} Stage */
/** @typedef {import("./stage.js").Point} Point */
/** @typedef {import("./stage.js").Candle} Candle */

const { up, down, gold, blue, muted, text } = colours;

/**
 * A walk of candles between 0 and 1 through the given turns.
 * @param {number} seed @param {number} count @param {number[]} turns
 * @returns {Candle[]}
 */
function walk(seed, count, turns) {
  const roll = dice(seed);
  let open = turns[0] ?? 0.5;
  return Array.from({ length: count }, (_, index) => {
    const place = ((index + 1) / count) * (turns.length - 1);
    const [from, to] = [turns[Math.floor(place)] ?? 0.5, turns[Math.min(turns.length - 1, Math.floor(place) + 1)] ?? 0.5];
    const close = mix(from, to, place % 1) + (roll() - 0.5) * 0.07;
    const candle = { open, close, high: Math.max(open, close) + roll() * 0.035, low: Math.min(open, close) - roll() * 0.035 };
    open = close;
    return candle;
  });
}

/** @param {Stage} stage @param {number} p @param {Point[]} points @param {string[]} names one per point, "" for none @param {string} colour */
function zigzag(stage, p, points, names, colour) {
  stage.line(points, p, { colour: text, width: 5 });
  points.forEach((point, index) => {
    const reached = eased((p * (points.length - 1) - index + 0.34) * 3);
    const below = (points[index - 1]?.[1] ?? 1) > point[1];
    if (names[index]) stage.mark(point, names[index] ?? "", colour, reached, below);
  });
}

/** @param {Stage} stage @param {number} p */
function pair(stage, p) {
  const roll = dice(7);
  const points = Array.from(
    { length: 60 },
    (_, i) => /** @type {Point} */ ([i / 75, 0.45 + 0.2 * Math.sin(i / 8) + roll() * 0.06]),
  );
  const now = points[Math.round(p * 59)] ?? [0, 0.5];
  stage.line(
    points.map(([x, y]) => [x, y + 0.12]),
    p,
    { colour: up },
  );
  stage.line(points, p, { colour: blue });
  const [x, ask] = stage.at([now[0], now[1] + 0.12]);
  const [, bid] = stage.at(now);
  stage.write(`Ask ${(1.08 + now[1] / 100 + 0.0002).toFixed(4)}`, [x + 16, ask], { size: 22, colour: up, weight: 600 });
  stage.write(`Bid ${(1.08 + now[1] / 100).toFixed(4)}`, [x + 16, bid], { size: 22, colour: blue, weight: 600 });
}

/** @param {Stage} stage @param {number} p */
function pips(stage, p) {
  stage.candles(walk(11, 26, [0.3, 0.5, 0.4, 0.62, 0.45, 0.75, 0.9]), part(p, 0, 0.9), { to: 0.8 });
  stage.level(0.55, "Entry 1.0840", text, part(p, 0.15, 0.3));
  stage.level(0.25, "Stop 1.0820", down, part(p, 0.3, 0.45));
  stage.line(through("0.79,0.27 0.79,0.53"), part(p, 0.45, 0.6), { colour: gold, width: 4 });
  const [x, y] = stage.at([0.81, 0.4]);
  stage.write("20 pips", [x, y], { size: 26, colour: gold, weight: 700, alpha: part(p, 0.5, 0.65) });
}

/** @param {Stage} stage @param {number} p */
function oneCandle(stage, p) {
  stage.candle({ open: 0.3, close: 0.72, high: 0.9, low: 0.14 }, 0.3, 0.09, part(p, 0, 0.35));
  stage.candle({ open: 0.72, close: 0.44, high: 0.82, low: 0.2 }, 0.75, 0.09, part(p, 0.4, 0.7));
  const names = /** @type {[string, number][]} */ ([
    ["High", 0.9],
    ["Close", 0.72],
    ["Open", 0.3],
    ["Low", 0.14],
  ]);
  names.forEach(([name, y], index) => {
    const alpha = part(p, 0.3 + index * 0.06, 0.4 + index * 0.06);
    const [x, middle] = stage.at([0.44, y]);
    stage.line(across(y, 0.41, 0.43), alpha, { colour: muted, width: 2 });
    stage.write(name, [x, middle], { size: 24, colour: gold, weight: 600, alpha });
  });
}

/** @param {Stage} stage @param {number} p */
function structure(stage, p) {
  const points = through("0.02,0.15 0.16,0.37 0.26,0.24 0.42,0.66 0.53,0.48 0.68,0.88 0.79,0.62 0.86,0.7 0.97,0.36");
  stage.level(0.48, "break of structure", down, part(p, 0.82, 0.95), { x: 0.9, below: true });
  zigzag(stage, p, points, ["", "HH", "HL", "HH", "HL", "HH", "", "", ""], up);
}

/** @param {Stage} stage @param {number} p */
function orderBlock(stage, p) {
  const zone = part(p, 0.4, 0.55);
  stage.box(blue, stage.at([0.22, 0.36]), stage.at([mix(0.22, 1, zone), 0.24]), 4, 0.25 * Math.min(1, zone * 4));
  stage.candles(walk(23, 30, [0.55, 0.42, 0.28, 0.5, 0.82, 0.7, 0.52, 0.34, 0.56, 0.7]), p);
  const [x, y] = stage.at([0.98, 0.2]);
  stage.write("order block", [x, y], { size: 22, colour: blue, weight: 600, align: "right", alpha: zone });
}

/** @param {Stage} stage @param {number} p */
function liquidity(stage, p) {
  const points = through("0.02,0.3 0.2,0.68 0.32,0.42 0.48,0.68 0.6,0.46 0.74,0.86 0.8,0.6 0.97,0.18");
  stage.level(0.7, "stops rest here", gold, part(p, 0.4, 0.55), { x: 0.45 });
  zigzag(stage, p, points, ["", "", "", "", "", "sweep", "", ""], down);
}

const fiveWaves = through("0.03,0.08 0.2,0.36 0.3,0.2 0.56,0.72 0.68,0.54 0.9,0.9");

/** @param {Stage} stage @param {number} p */
function impulse(stage, p) {
  stage.level(0.36, "four stays above this", gold, part(p, 0.75, 0.9));
  zigzag(stage, p, fiveWaves, ["", "1", "2", "3", "4", "5"], blue);
}

/** @param {Stage} stage @param {number} p */
function correction(stage, p) {
  const five = fiveWaves.map(([x, y]) => /** @type {Point} */ ([x * 0.55, y]));
  const end = five.at(-1) ?? [0.5, 0.9];
  zigzag(stage, part(p, 0, 0.5), five, ["", "1", "2", "3", "4", "5"], muted);
  zigzag(stage, clamp((p - 0.5) / 0.5), [end, [0.66, 0.5], [0.8, 0.72], [0.96, 0.3]], ["", "A", "B", "C"], gold);
}

/** @param {Stage} stage @param {number} p */
function scenarios(stage, p) {
  const sofar = through("0.03,0.2 0.18,0.44 0.28,0.32 0.5,0.68 0.6,0.5");
  const next = part(p, 0.5, 0.9);
  zigzag(stage, part(p, 0, 0.5), sofar, ["", "1", "2", "3", "4"], blue);
  stage.line(through("0.6,0.5 0.76,0.72 0.82,0.64 0.96,0.9"), next, { colour: up, dashed: true });
  stage.line(through("0.6,0.5 0.7,0.58 0.82,0.34 0.86,0.4 0.96,0.16"), next, { colour: down, dashed: true });
  stage.level(0.42, "this count ends here", gold, part(p, 0.55, 0.7), { x: 0.68, below: true });
}

/** @param {Stage} stage @param {number} p */
function live(stage, p) {
  const candles = walk(41, 34, [0.4, 0.46, 0.38, 0.44, 0.36, 0.42, 0.6, 0.78, 0.7, 0.86]);
  stage.candles(candles, p, { to: 0.86 });
  const now = candles[Math.min(candles.length - 1, Math.floor(p * candles.length))];
  stage.level(0.5, "Entry", gold, part(p, 0.55, 0.65));
  if (!now) return;
  const [x, y] = stage.at([0.9, now.close]);
  const colour = now.close >= now.open ? up : down;
  stage.box(colour, [x - 4, y - 18], [x + 82, y + 18], 6);
  stage.write((1.2638 + now.close / 50).toFixed(4), [x + 39, y], {
    size: 20,
    colour: colours.night,
    weight: 700,
    align: "center",
  });
}

/** @type {Record<string, (stage: Stage, p: number) => void>} by name: prices as a chart shows them */
export const priceCharts = {
  pair,
  pips,
  candle: oneCandle,
  structure,
  orderBlock,
  liquidity,
  impulse,
  correction,
  scenarios,
  live,
};
