// @ts-check
// Draws what the site's head points to, in the dark theme's colours.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Drawing } from "./drawing.mjs";

/** @typedef {{ open: number, close: number, high: number, low: number }} Bar */

/** Writes the picture for links (1200 x 630) and the icons. @param {string} folder @param {readonly Bar[]} bars */
export async function writeSitePictures(folder, bars) {
  const color = darkColors();
  writeFileSync(join(folder, "og.png"), await linkPicture(bars, color));
  for (const size of [180, 192, 512]) writeFileSync(join(folder, `icon-${size}.png`), await icon(size, 1, color));
  // A launcher may cut a circle out of it, so the mark keeps to the middle.
  writeFileSync(join(folder, "icon-512-maskable.png"), await icon(512, 0.72, color));
}

/** The tokens of styles.css, so that a changed colour changes the pictures. @returns {(token: string) => string} */
function darkColors() {
  const styles = readFileSync(join(import.meta.dirname, "../../src/web/styles.css"), "utf8");
  return (token) => {
    const dark = new RegExp(`--color-${token}: light-dark\\(#\\w+, (#\\w{6})\\)`).exec(styles)?.[1];
    if (dark === undefined) throw new Error(`styles.css has no colour "${token}".`);
    return dark;
  };
}

/** @param {number} size @param {number} scale of the mark @param {(token: string) => string} color */
function icon(size, scale, color) {
  const drawing = new Drawing(size, size, color("ground"));
  const side = size * scale;
  drawMark(drawing, (size - side) / 2, (size - side) / 2, side / 32, 2, color);
  return drawing.png();
}

/**
 * The two candles of favicon.svg, on its grid of 32.
 * @param {Drawing} drawing @param {number} x @param {number} y @param {number} unit @param {number} line
 * @param {(token: string) => string} color
 */
function drawMark(drawing, x, y, unit, line, color) {
  /** @param {number} left @param {number} top @param {number} width @param {number} height @param {string} token */
  const box = (left, top, width, height, token) =>
    drawing.box(x + left * unit, y + top * unit, width * unit, height * unit, color(token));
  const half = line / 2;
  box(11 - half, 5, line, 22, "action");
  box(21 - half, 5, line, 22, "action");
  box(7.5 - half, 13 - half, 7 + line, 9 + line, "action");
  box(7.5 + half, 13 + half, 7 - line, 9 - line, "ground");
  box(17.5 - half, 9 - half, 7 + line, 11 + line, "action");
}

/** @param {readonly Bar[]} bars @param {(token: string) => string} color */
function linkPicture(bars, color) {
  const [width, height, margin] = [1200, 630, 64];
  const drawing = new Drawing(width, height, color("ground"));
  drawing.box(0, 0, width, 8, color("action"));

  const lowest = Math.min(...bars.map(({ low }) => low));
  const highest = Math.max(...bars.map(({ high }) => high));
  const [top, bottom] = [96, height - margin];
  /** @param {number} price */
  const y = (price) => Math.round(bottom - ((price - lowest) / (highest - lowest)) * (bottom - top));
  const step = (width - 2 * margin) / bars.length;

  for (let price = 30; price < 90; price += 15) drawing.box(0, y(price), width, 2, color("line"));
  // The zone that price returns to, as in the page's figure.
  drawing.box(margin + 15 * step, y(41), width - margin - 15 * step, y(29) - y(41), color("caution-soft"));
  drawing.box(margin + 9 * step, y(57.5) - 1, 14 * step, 3, color("action"));

  const body = 18;
  for (const [index, { open, close, high, low }] of bars.entries()) {
    const center = Math.round(margin + (index + 0.5) * step);
    const tone = color(close >= open ? "gain" : "muted");
    const [upper, lower] = [y(Math.max(open, close)), y(Math.min(open, close))];
    drawing.box(center - 1.5, y(high), 3, y(low) - y(high), tone);
    drawing.box(center - body / 2, upper, body, lower - upper, tone);
    if (close >= open) drawing.box(center - body / 2 + 3, upper + 3, body - 6, Math.max(0, lower - upper - 6), color("ground"));
  }
  drawMark(drawing, margin - 6 * 4.5, 38, 4.5, 1.8, color);
  return drawing.png();
}
