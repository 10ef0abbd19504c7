/** The largest camera picture, and the longest scrolled screenshot, with room to spare. */
export const maxImagePixels = 100_000_000;
const maxImageSide = 20_000;
const maxImageRatio = 50;

/** Whether an image of this size is decoded: limits on its area and on its shape, since either makes work. */
export function isDecodableShape(width: number, height: number): boolean {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return short >= 1 && long <= maxImageSide && long <= short * maxImageRatio && width * height <= maxImagePixels;
}
