import { collect } from "./collect.ts";

/**
 * Bytes of dropped pieces after which they are collected: several times what waits to be written. A piece that two collections find in use becomes
 * an old object, which only a collection of the whole heap frees.
 */
const collectEvery = 8 * 1024 * 1024;

let garbage = 0;

/**
 * Counts a piece of a body that is no longer needed. V8 sees a small object and lets 30 to 60 MB of the bytes behind such pieces gather before it collects by
 * itself.
 */
export function dropPiece(piece: Buffer): void {
  garbage += piece.length;
  if (garbage < collectEvery) return;
  garbage = 0;
  collect({ type: "minor" });
}
