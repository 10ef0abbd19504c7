// @ts-check
// A film of several gigabytes: a sample film with bytes in it that mean nothing.
import { createHash, randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const sample = join(import.meta.dirname, "../../samples/videos/forex-basics-1.mp4");

/**
 * Writes a film of this size and returns its SHA-256. With its index at the end, as cameras write it, the site stores it anew (FILE-12).
 * @param {string} file @param {number} size @param {"start" | "end"} index where it stands
 */
export function writeLargeFilm(file, size, index) {
  const film = readFileSync(sample);
  const [begin, length] = boxOf(film, "moov");
  const moov = Buffer.from(film.subarray(begin, begin + length));
  // In its place as much that is skipped, so that no offset in it changes.
  if (index === "end") film.write("free", begin + 4);
  const end = index === "end" ? moov : Buffer.alloc(0);
  const header = Buffer.alloc(16);
  header.writeUInt32BE(1);
  header.write("free", 4);
  const filled = size - film.length - end.length;
  header.writeBigUInt64BE(BigInt(filled), 8);
  const hash = createHash("sha256");
  const target = openSync(file, "w");
  const write = (/** @type {Buffer} */ bytes) => {
    hash.update(bytes);
    writeSync(target, bytes);
  };
  write(film);
  write(header);
  const noise = randomBytes(8 * 2 ** 20);
  for (let left = filled - header.length; left > 0; left -= noise.length) {
    // No two pieces are the same.
    noise.writeDoubleBE(left);
    write(noise.subarray(0, left));
  }
  write(end);
  closeSync(target);
  return hash.digest("hex");
}

/** Returns where a box at the top begins, and its length. @param {Buffer} film @param {string} name @returns {[number, number]} */
function boxOf(film, name) {
  for (let at = 0; at < film.length; at += film.readUInt32BE(at)) {
    if (film.toString("latin1", at + 4, at + 8) === name) return [at, film.readUInt32BE(at)];
  }
  throw new Error(`The sample film has no ${name}.`);
}
