// @ts-check
import sharp from "sharp";

/** Returns a phone's screenshot of about 1 MB: plain areas, and noise where photos and text are. Each seed has another. @param {number} seed */
export function ordinaryScreenshot(seed) {
  const [width, height] = [1080, 2400];
  const pixels = Buffer.alloc(width * height * 3, 240);
  let random = seed;
  for (let place = 0; place < pixels.length; place++) {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    if (place % (width * 3) < 420) pixels[place] = random >>> 24;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}
