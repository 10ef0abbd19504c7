// @ts-check
import sharp from "sharp";

const [width, height] = [1080, 2400];
const lineHeight = 60;

/**
 * Returns a phone's screenshot of about 1 MB: lines of text on plain areas, and noise where photos are. Each seed has another, whose lines are
 * of other lengths, so that it is no duplicate.
 * @param {number} seed
 */
export function ordinaryScreenshot(seed) {
  const pixels = Buffer.alloc(width * height * 3, 240);
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
  for (let row = 0; row < height; row++)
    for (let column = 0; column < 420; column++) pixels[row * width * 3 + column] = random();
  for (let top = 0; top < height; top += lineHeight) {
    const length = 3 * (random() + random());
    for (let row = top; row < top + lineHeight / 2; row++)
      pixels.fill(60, (row * width + 200) * 3, (row * width + 200) * 3 + length);
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}
