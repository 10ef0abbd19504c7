import { partSize } from "./s3-part.ts";

/** Buffers that nobody uses now, for the next who gathers or reads a part: V8 would free them late. */
const spare: Buffer[] = [];
const maxSpare = 4;

/** Returns a buffer of one part, with anything in it. */
export const takeBuffer = (): Buffer => spare.pop() ?? Buffer.allocUnsafeSlow(partSize);

/** Takes a buffer back, which must not be used any more. */
export function giveBack(buffer: Buffer): void {
  if (spare.length < maxSpare) spare.push(buffer);
}
