// @ts-check
import { encodePng } from "./png.mjs";

/** Samples per pixel and direction: soft edges for what does not fall on whole pixels. */
const fine = 4;

/** A sheet to draw boxes on, in units of pixels. */
export class Raster {
  #width;
  #height;
  #samples;

  /** @param {number} width @param {number} height @param {string} ground */
  constructor(width, height, ground) {
    this.#width = width;
    this.#height = height;
    this.#samples = new Uint8Array(width * height * fine * fine * 3);
    this.box(0, 0, width, height, ground);
  }

  /**
   * A filled box, with round corners if asked for.
   * @param {number} x @param {number} y @param {number} width @param {number} height @param {string} color @param {number} [radius]
   */
  box(x, y, width, height, color, radius = 0) {
    const [left, top, right, bottom] = [x, y, x + width, y + height].map((edge) => Math.round(edge * fine));
    if (left === undefined || top === undefined || right === undefined || bottom === undefined) return;
    const [red = 0, green = 0, blue = 0] = channels(color);
    const row = this.#width * fine;
    const corner = radius * fine;
    for (let v = Math.max(0, top); v < Math.min(bottom, this.#height * fine); v++) {
      const inset = corner === 0 ? 0 : cornerInset(v + 0.5 - top, bottom - top, corner);
      const end = Math.min(right - inset, row);
      for (let u = Math.max(0, left + inset); u < end; u++) {
        const at = (v * row + u) * 3;
        this.#samples[at] = red;
        this.#samples[at + 1] = green;
        this.#samples[at + 2] = blue;
      }
    }
  }

  /** @returns {Buffer} */
  png() {
    const pixels = new Uint8Array(this.#width * this.#height * 3);
    const row = this.#width * fine * 3;
    for (let y = 0; y < this.#height; y++) {
      for (let x = 0; x < this.#width; x++) {
        for (let channel = 0; channel < 3; channel++) {
          let sum = 0;
          for (let v = 0; v < fine; v++) {
            for (let u = 0; u < fine; u++) sum += this.#samples[(y * fine + v) * row + (x * fine + u) * 3 + channel] ?? 0;
          }
          pixels[(y * this.#width + x) * 3 + channel] = Math.round(sum / (fine * fine));
        }
      }
    }
    return encodePng(this.#width, this.#height, pixels);
  }
}

/** How far a round corner takes a row in. @param {number} at @param {number} height @param {number} radius */
function cornerInset(at, height, radius) {
  const beyond = Math.max(radius - at, at - (height - radius), 0);
  return Math.round(radius - Math.sqrt(Math.max(0, radius * radius - beyond * beyond)));
}

/** @param {string} color such as #0c1110 */
function channels(color) {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
