/** The largest camera picture, and the longest scrolled screenshot, with room to spare. */
export const maxImagePixels = 100_000_000;
const maxImageSide = 20_000;
const maxImageRatio = 50;

/** Returns whether an image of this size, in pixels, is decoded. Area and shape have limits, since either makes work. */
export function isDecodableShape(width: number, height: number): boolean {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return short >= 1 && long <= maxImageSide && long <= short * maxImageRatio && width * height <= maxImagePixels;
}
