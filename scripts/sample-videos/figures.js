// @ts-check
import { across, colours, dice, part } from "./stage.js";

/** @typedef {import("./stage.js").Stage} Stage */
/** @typedef {import("./stage.js").Point} Point */

const { up, down, gold, muted, text, grid } = colours;

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
 * @param {Stage} stage @param {number} p @param {{ name: string, height: number, colour: string }[]} all @param {number} base
 */
function bars(stage, p, all, base) {
  stage.line(across(base), 1, { colour: muted, width: 2 });
  all.forEach(({ name, height, colour }, index) => {
    const grown = part(p, (index * 0.85) / all.length, (index * 0.85) / all.length + 0.15);
    const x = (index + 0.5) / all.length;
    const [left, top] = stage.at([x - 0.3 / all.length, base + Math.max(0, height * grown)]);
    const [right, bottom] = stage.at([x + 0.3 / all.length, base + Math.min(0, height * grown)]);
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
    ["EUR/USD", "London", "zone", "0.4", "calm", "+1.5"],
    ["GBP/USD", "London", "news", "0.5", "rushed", "−1"],
    ["EUR/USD", "New York", "zone", "0.4", "calm", "+2"],
    ["USD/JPY", "Asia", "none", "0.3", "bored", "−1"],
    ["EUR/USD", "London", "zone", "0.4", "calm", "−1"],
    ["AUD/USD", "Asia", "none", "0.2", "tired", "−0.5"],
  ];
  rows.forEach((row, index) => {
    const [left, y] = stage.at([0, 0.9 - index * 0.16]);
    row.forEach((field, column) => {
      const alpha = part(p, (index * 6 + column) / 38, (index * 6 + column) / 38 + 0.05);
      const colour = column < 5 ? text : field.startsWith("+") ? up : down;
      stage.write(field, [left + ([0, 124, 248, 336, 408, 520][column] ?? 0), y], {
        size: 22,
        colour,
        weight: column === 5 ? 700 : 500,
        alpha,
      });
    });
  });
}

/** @type {Record<string, (stage: Stage, p: number) => void>} by name: what is no price */
export const figures = { plan, days, tenLosses, revenge, week, journal };
