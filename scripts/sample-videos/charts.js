// @ts-check
import { clamp, colours, dice, eased, mix, part } from "./stage.js";

/** @typedef {import("./stage.js").Stage} Stage */
/** @typedef {import("./stage.js").Point} Point */
/** @typedef {import("./stage.js").Candle} Candle */

const { up, down, gold, blue, muted, text, grid } = colours;

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
  stage.line(
    through("0.79,0.27 0.79,0.53"),
    part(p, 0.45, 0.6),
    { colour: gold, width: 4 },
  );
  const [x, y] = stage.at([0.81, 0.4]);
  stage.write("20 pips", [x, y], { size: 26, colour: gold, weight: 700, alpha: part(p, 0.5, 0.65) });
}

/** @param {Stage} stage @param {number} p */
function candle(stage, p) {
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
    stage.line(
      [
        [0.41, y],
        [0.43, y],
      ],
      alpha,
      { colour: muted, width: 2 },
    );
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

/** @param {Stage} stage @param {number} p */
function plan(stage, p) {
  const rows = ["Bias", "Zone", "Trigger", "Stop", "Target", "I stay out when…"];
  rows.forEach((row, index) => {
    const ticked = part(p, 0.1 + index * 0.14, 0.2 + index * 0.14);
    const [x, y] = stage.at([0.04, 0.91 - index * 0.165]);
    stage.box(grid, [x, y - 17], [x + 34, y + 17], 8);
    stage.box(up, [x + 17 - 10 * ticked, y - 10 * ticked], [x + 17 + 10 * ticked, y + 10 * ticked], 5);
    stage.write(row, [x + 56, y], { size: 28, colour: ticked > 0.5 ? text : muted, weight: 600 });
    stage.box(muted, [x + 330, y + 12], [x + 330 + 240 * ticked, y + 15], 2, 0.6);
  });
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
  stage.line(
    through("0.6,0.5 0.76,0.72 0.82,0.64 0.96,0.9"),
    next,
    { colour: up, dashed: true },
  );
  stage.line(
    through("0.6,0.5 0.7,0.58 0.82,0.34 0.86,0.4 0.96,0.16"),
    next,
    { colour: down, dashed: true },
  );
  stage.level(0.42, "this count ends here", gold, part(p, 0.55, 0.7), { x: 0.68, below: true });
}

/** @param {Stage} stage @param {number} p */
function days(stage, p) {
  const roll = dice(3);
  ["Mo", "Tu", "We", "Th", "Fr"].forEach((day, column) => {
    const [x] = stage.at([0.11 + column * 0.195, 0]);
    stage.write(day, [x, 146], { size: 20, colour: muted, align: "center", weight: 600 });
    for (let row = 0; row < 4; row++) {
      const trades = roll() > 0.68;
      const shown = part(p, (row * 5 + column) / 26, (row * 5 + column) / 26 + 0.12);
      const [, y] = stage.at([0, 0.82 - row * 0.235]);
      stage.box(grid, [x - 50, y - 46], [x + 50, y + 46], 10);
      stage.box(trades ? up : muted, [x - 50, y - 46], [x + 50, y + 46], 10, shown * (trades ? 0.85 : 0.18));
      stage.write(trades ? "trade" : "stay out", [x, y], {
        size: 18,
        align: "center",
        weight: 600,
        colour: trades ? colours.night : muted,
        alpha: shown,
      });
    }
  });
}

/** @param {Stage} stage @param {number} p */
function tenLosses(stage, p) {
  const curve = (/** @type {number} */ risk) =>
    Array.from({ length: 11 }, (_, i) => /** @type {Point} */ ([i / 12.5, 0.08 + 0.84 * (1 - risk) ** i]));
  for (const [risk, colour] of /** @type {[number, string][]} */ ([
    [0.01, up],
    [0.1, down],
  ])) {
    const points = curve(risk);
    const [x, y] = stage.at(points[Math.round(p * 10)] ?? [0, 0]);
    stage.line(points, p, { colour, width: 5 });
    stage.write(`${Math.round(100 * (1 - risk) ** Math.round(p * 10))} %`, [x + 18, y], { size: 26, colour, weight: 700 });
  }
  const [left, bottom] = stage.at([0, 0.02]);
  stage.write(`after ${Math.round(p * 10)} losses in a row`, [left, bottom], { size: 20, colour: muted });
}

/**
 * Bars that grow one after another from a base line.
 * @param {Stage} stage @param {number} p @param {{ name: string, height: number, colour: string }[]} bars @param {number} base
 */
function bars(stage, p, bars, base) {
  stage.line(
    [
      [0, base],
      [1, base],
    ],
    1,
    { colour: muted, width: 2 },
  );
  bars.forEach(({ name, height, colour }, index) => {
    const grown = part(p, (index * 0.85) / bars.length, (index * 0.85) / bars.length + 0.15);
    const x = (index + 0.5) / bars.length;
    const [left, top] = stage.at([x - 0.3 / bars.length, base + Math.max(0, height * grown)]);
    const [right, bottom] = stage.at([x + 0.3 / bars.length, base + Math.min(0, height * grown)]);
    stage.box(colour, [left, top], [right, bottom], 6);
    const y = height > 0 ? top - 22 : bottom + 22;
    stage.write(name, [(left + right) / 2, y], { size: 22, colour, align: "center", weight: 700, alpha: grown });
  });
}

/** @param {Stage} stage @param {number} p */
function revenge(stage, p) {
  const sizes = [1, 1, 1.5, 3, 6];
  bars(
    stage,
    p,
    sizes.map((size, i) => ({
      name: `${size} lot${size === 1 ? "" : "s"}`,
      height: size / 7.5,
      colour: i < 2 ? up : i < 3 ? gold : down,
    })),
    0.06,
  );
}

/** @param {Stage} stage @param {number} p */
function week(stage, p) {
  const results = [-1, 2, -1, 1.5, 0.5, -1, 1];
  bars(
    stage,
    p,
    results.map((r, i) => ({
      name: `${r > 0 ? "+" : "−"}${Math.abs(r)} R`,
      height: r * 0.2,
      colour: i === 4 ? gold : r > 0 ? up : down,
    })),
    0.42,
  );
}

/** @param {Stage} stage @param {number} p */
function journal(stage, p) {
  const rows = [
    ["EUR/USD", "London", "calm", "+1.5"],
    ["GBP/USD", "London", "rushed", "−1"],
    ["EUR/USD", "New York", "calm", "+2"],
    ["USD/JPY", "Asia", "bored", "−1"],
    ["EUR/USD", "London", "calm", "−1"],
    ["AUD/USD", "Asia", "tired", "−0.5"],
  ];
  rows.forEach((row, index) => {
    const [left, y] = stage.at([0.02, 0.9 - index * 0.16]);
    row.forEach((field, column) => {
      const alpha = part(p, (index * 4 + column) / 26, (index * 4 + column) / 26 + 0.06);
      const colour = column < 3 ? text : field.startsWith("+") ? up : down;
      stage.write(field, [left + ([0, 160, 330, 500][column] ?? 0), y], {
        size: 24,
        colour,
        weight: column === 3 ? 700 : 500,
        alpha,
      });
    });
  });
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

/** @type {Record<string, (stage: Stage, p: number) => void>} */
export const charts = {
  pair,
  pips,
  candle,
  structure,
  orderBlock,
  liquidity,
  plan,
  impulse,
  correction,
  scenarios,
  days,
  tenLosses,
  revenge,
  week,
  journal,
  live,
};

/** @type {Record<string, string>} */
export const accents = {
  "Forex Basics": colours.blue,
  "SMC Course": colours.up,
  "Elliott Wave": "#b79bff",
  "Risk Management": colours.gold,
  Psychology: "#f29ac0",
  "Live Trading": "#ff8f6b",
};
