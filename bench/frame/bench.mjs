// @ts-check
// What the rows of one run share.
import { openStage } from "./stage.mjs";

/**
 * @typedef {object} Bench
 * @property {boolean} quick a look at whether the rows work; too short to compare
 * @property {number} rounds
 * @property {number} seconds of a round
 * @property {(line: string) => void} say
 * @property {() => Promise<import("./stage.mjs").Stage>} stage started when the first row needs it
 * @property {(stop: () => unknown) => void} atEnd
 * @property {() => Promise<void>} close
 */

/** @param {{ quick: boolean, rounds: number, say: (line: string) => void }} options @returns {Bench} */
export function openBench({ quick, rounds, say }) {
  /** @type {(() => unknown)[]} */
  const stops = [];
  /** @type {Promise<import("./stage.mjs").Stage> | undefined} */
  let stage;
  /** @type {Promise<void> | undefined} */
  let closing;
  const close = async () => {
    for (const stop of stops.toReversed()) await stop();
  };
  /** @type {Bench} */
  const bench = {
    quick,
    rounds,
    seconds: quick ? 0.5 : 3,
    say,
    stage: () => (stage ??= openStage(bench)),
    atEnd: (stop) => void stops.push(stop),
    close: () => (closing ??= close()),
  };
  return bench;
}
