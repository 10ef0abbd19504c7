/** The most pixels that a frame is wide; the server stores no more (FILE-15). */
const maxWidth = 1280;

/** Where in a film a frame is looked for, one after the other until it is not black: films often begin with a fade (VIDEO-8). */
export const moments: readonly number[] = [0.1, 0.15, 0.2, 0.3, 0.4, 0.5];

/** The brightness, of 255, that a frame reaches somewhere unless it is black: slides with a dark ground have bright words. */
const blackBelow = 40;

/** Returns whether the pixels of a small frame, as RGBA, are all as good as black. */
export function isBlack(pixels: Uint8ClampedArray): boolean {
  for (let index = 0; index < pixels.length; index += 4) {
    const brightness = 0.2126 * pixels[index]! + 0.7152 * pixels[index + 1]! + 0.0722 * pixels[index + 2]!;
    if (brightness >= blackBelow) return false;
  }
  return true;
}

/** Returns whether the frame that a film displays now is as good as black. */
export function isShowingBlack(film: HTMLVideoElement): boolean {
  return isBlack(drawn(film, 32, 18).getImageData(0, 0, 32, 18).data);
}

/** Returns the frame that a film displays now as a JPEG file. Rejects where the browser does not allow it. */
export async function frameOf(film: HTMLVideoElement): Promise<File> {
  const scale = Math.min(1, maxWidth / film.videoWidth);
  const context = drawn(film, Math.round(film.videoWidth * scale), Math.round(film.videoHeight * scale));
  const frame = await new Promise<Blob | null>((resolve) => context.canvas.toBlob(resolve, "image/jpeg", 0.9));
  if (frame === null) throw new Error("The frame could not be made a picture.");
  return new File([frame], "frame.jpg", { type: frame.type });
}

function drawn(film: HTMLVideoElement, width: number, height: number): CanvasRenderingContext2D {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("This browser draws no pictures.");
  context.drawImage(film, 0, 0, width, height);
  return context;
}
