// @ts-check
import sharp from "sharp";

/** A drawing of boxes on a coloured ground, in pixels; sharp turns it into a PNG. */
export class Drawing {
  #width;
  #height;
  /** @type {string[]} */
  #shapes = [];

  /** @param {number} width @param {number} height @param {string} ground */
  constructor(width, height, ground) {
    this.#width = width;
    this.#height = height;
    this.box(0, 0, width, height, ground);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {string} color */
  box(x, y, width, height, color) {
    this.#shapes.push(`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${color}"/>`);
  }

  /** @returns {Promise<Buffer>} */
  png() {
    const size = `width="${this.#width}" height="${this.#height}"`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${this.#shapes.join("")}</svg>`;
    return sharp(Buffer.from(svg)).removeAlpha().png({ compressionLevel: 9 }).toBuffer();
  }
}
