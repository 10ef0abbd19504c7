import { expect, it } from "vitest";
import { dropPiece } from "./piece-garbage.ts";

const [pieceSize, mebibyte] = [64 * 1024, 1024 * 1024];
/** A little more than PartFileWriter holds. */
const maxWaiting = 40;

it("frees the pieces of a body that wait for a slow disk soon after", async () => {
  const before = process.memoryUsage().arrayBuffers;
  const waiting: Buffer[] = [];
  let most = 0;
  for (let written = 0; written < 256 * mebibyte; written += pieceSize) {
    const piece = Buffer.allocUnsafeSlow(pieceSize);
    dropPiece(piece);
    waiting.push(piece);
    if (waiting.length > maxWaiting) waiting.shift();
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    if (written % mebibyte === 0) await new Promise(setImmediate);
  }
  expect(most / mebibyte).toBeLessThan(32);
});
