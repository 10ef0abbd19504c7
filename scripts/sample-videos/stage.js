// @ts-check
/// <reference lib="dom" />

/** What all films share: the picture's parts, drawn on a canvas of 1280 by 720 for one moment in seconds. */
export const colours = {
  night: "#0b1220",
  panel: "#101a2d",
  grid: "#1b2740",
  text: "#e8eef8",
  muted: "#8ea2c0",
  up: "#2fcf9f",
  down: "#ef6079",
  gold: "#e5b75f",
  blue: "#6ea8fe",
};

/** @typedef {[x: number, y: number]} Point in the panel, both from 0 to 1, y upwards */
/** @typedef {{ open: number, high: number, low: number, close: number }} Candle */
/** @typedef {{ colour?: string, dashed?: boolean, width?: number }} LineStyle */

const panel = { x: 556, y: 112, width: 664, height: 500 };

/** @param {number} value */
export const clamp = (value) => Math.min(1, Math.max(0, value));

/** Points written as `x,y x,y`. @param {string} text */
export const through = (text) => text.split(" ").map((pair) => /** @type {Point} */ (pair.split(",").map(Number)));

/** A level line. @param {number} y @param {number} [from] @param {number} [to] @returns {Point[]} */
export const across = (y, from = 0, to = 1) => [
  [from, y],
  [to, y],
];

/** Slow at both ends. @param {number} value */
export const eased = (value) => clamp(value) ** 2 * (3 - 2 * clamp(value));

/** How far a part that lasts from `from` to `to` of the whole has come. @param {number} p @param {number} from @param {number} to */
export const part = (p, from, to) => eased((p - from) / (to - from));

/** The same numbers at every run. @param {number} seed */
export function dice(seed) {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

export class Stage {
  /** @param {CanvasRenderingContext2D} context */
  constructor(context) {
    this.context = context;
  }

  /** @param {Point} point @returns {Point} in pixels */
  at([x, y]) {
    return [panel.x + 24 + x * (panel.width - 48), panel.y + panel.height - 24 - y * (panel.height - 48)];
  }

  /** @param {string} text @param {Point} pixel @param {{ size?: number, colour?: string, weight?: number, align?: CanvasTextAlign, alpha?: number }} [look] */
  write(text, [x, y], { size = 24, colour = colours.text, weight = 500, align = "left", alpha = 1 } = {}) {
    const { context } = this;
    context.globalAlpha = alpha;
    context.font = `${weight} ${size}px "Inter Variable"`;
    context.fillStyle = colour;
    context.textAlign = align;
    context.textBaseline = "middle";
    context.fillText(text, x, y);
    context.globalAlpha = 1;
  }

  /** Breaks a title into lines of at most `width` pixels. @param {string} text @param {number} size @param {number} width */
  lines(text, size, width) {
    this.context.font = `700 ${size}px "Inter Variable"`;
    /** @type {string[]} */
    const lines = [];
    for (const word of text.split(" ")) {
      const longer = `${lines.at(-1) ?? ""} ${word}`.trim();
      if (lines.length > 0 && this.context.measureText(longer).width <= width) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  }

  /** @param {string} colour @param {Point} from @param {Point} to both in pixels @param {number} [radius] @param {number} [alpha] */
  box(colour, [left, top], [right, bottom], radius = 0, alpha = 1) {
    const { context } = this;
    context.globalAlpha = alpha;
    context.fillStyle = colour;
    context.beginPath();
    context.roundRect(left, top, right - left, bottom - top, radius);
    context.fill();
    context.globalAlpha = 1;
  }

  /** The part of a line of points that is reached at `progress`. @param {Point[]} points @param {number} progress @param {LineStyle} [style] */
  line(points, progress = 1, { colour = colours.text, dashed = false, width = 4 } = {}) {
    if (progress <= 0) return;
    const { context } = this;
    const last = (points.length - 1) * clamp(progress);
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.lineJoin = "round";
    context.lineCap = "round";
    context.setLineDash(dashed ? [10, 12] : []);
    context.beginPath();
    points.slice(0, Math.floor(last) + 1).forEach((point) => context.lineTo(...this.at(point)));
    const [from, to] = [points[Math.floor(last)], points[Math.floor(last) + 1]];
    if (from && to) context.lineTo(...this.at([mix(from[0], to[0], last % 1), mix(from[1], to[1], last % 1)]));
    context.stroke();
    context.setLineDash([]);
  }

  /** A level across the panel with its name, which ends at `x`. @param {number} y @param {string} name @param {string} colour @param {number} progress @param {{ x?: number, below?: boolean }} [place] */
  level(y, name, colour, progress, { x = 1, below = false } = {}) {
    if (progress <= 0) return;
    this.line(across(y), progress, { colour, dashed: true, width: 2 });
    const [right, middle] = this.at([x, y]);
    const look = { size: 20, colour, weight: 600, alpha: progress };
    this.write(name, [right, middle + (below ? 20 : -18)], { ...look, align: "right" });
  }

  /** A dot with a name above or below it. @param {Point} point @param {string} name @param {string} colour @param {number} progress @param {boolean} [below] */
  mark(point, name, colour, progress, below = false) {
    if (progress <= 0) return;
    const [x, y] = this.at(point);
    this.box(colour, [x - 7 * progress, y - 7 * progress], [x + 7 * progress, y + 7 * progress], 7);
    this.write(name, [x, y + (below ? 30 : -30)], { size: 24, colour, weight: 700, align: "center", alpha: progress });
  }

  /** Candles that grow one after another. @param {Candle[]} candles @param {number} progress @param {{ from?: number, to?: number }} [span] of x */
  candles(candles, progress, { from = 0, to = 1 } = {}) {
    const step = (to - from) / candles.length;
    candles.forEach((candle, index) => {
      const grown = clamp(progress * candles.length - index);
      if (grown > 0) this.candle(candle, from + (index + 0.5) * step, step * 0.3, grown);
    });
  }

  /** @param {Candle} candle @param {number} x its middle @param {number} half of its width @param {number} [grown] */
  candle({ open, high, low, close }, x, half, grown = 1) {
    const now = mix(open, close, grown);
    const colour = close >= open ? colours.up : colours.down;
    this.line(
      [
        [x, mix(open, low, grown)],
        [x, mix(open, high, grown)],
      ],
      1,
      { colour, width: 3 },
    );
    const [left, top] = this.at([x - half, Math.max(open, now)]);
    const [right, bottom] = this.at([x + half, Math.min(open, now)]);
    this.box(colour, [left, top], [right, Math.max(bottom, top + 3)], 3);
  }

  /** Background, title, points and panel; everything but the chart. @param {{ module: string, title: string, points: string[], accent: string }} film @param {number} time @param {number} length */
  frame({ module, title, points, accent }, time, length) {
    this.box(colours.night, [0, 0], [1280, 720]);
    this.box(accent, [64, 116], [100, 122], 3);
    this.write(module.toUpperCase(), [64, 150], { size: 22, colour: accent, weight: 700 });
    const lines = this.lines(title, 50, 440);
    lines.forEach((line, index) => this.write(line, [64, 208 + index * 60], { size: 50, weight: 700 }));
    points.forEach((point, index) => {
      const shown = eased((time - 1.4 - index * 1.7) / 0.6);
      const y = 620 - (points.length - 1 - index) * 52 - 24;
      this.box(accent, [64, y - 5], [74, y + 5], 5, shown);
      this.write(point, [92 + (1 - shown) * 12, y], { size: 26, alpha: shown });
    });
    this.box(colours.panel, [panel.x, panel.y], [panel.x + panel.width, panel.y + panel.height], 14);
    for (const y of [0.1, 0.3, 0.5, 0.7, 0.9]) this.line(across(y), 1, { colour: colours.grid, width: 1.5 });
    this.write("Sample lesson. Educational content only, not advice.", [64, 668], { size: 18, colour: colours.muted });
    this.box(colours.grid, [0, 714], [1280, 720]);
    this.box(accent, [0, 714], [1280 * clamp(time / length), 720]);
  }
}

/** @param {number} from @param {number} to @param {number} how */
export function mix(from, to, how) {
  return from + (to - from) * how;
}
