// @ts-check
// What the rows of one run share.
import { openStage } from "./stage.mjs";

/**
 * @typedef {object} Bench
 * @property {boolean} quick a look at whether the rows work; too short to compare
 * @property {number} rounds
 * @property {number} seconds of a round
 * @property {(line: string) => void} say
 * @property {(line: string) => void} leaveOut says what is not measured here and why
 * @property {Set<string>} leftOut
 * @property {() => Promise<import("./stage.mjs").Stage>} stage started when the first row needs it
 * @property {(stop: () => unknown) => void} atEnd throws, and stops at once, where the bench is being closed
 * @property {AbortSignal} closing aborted when the bench is closed
 * @property {() => Promise<void>} close may be called again, for what has been started meanwhile
 */

/** @param {{ quick: boolean, rounds: number, say: (line: string) => void }} options @returns {Bench} */
export function openBench({ quick, rounds, say }) {
  /** @type {(() => unknown)[]} */
  const stops = [];
  /** @type {Promise<import("./stage.mjs").Stage> | undefined} */
  let stage;
  const closing = new AbortController();
  let closed = Promise.resolve();
  const stopAll = async () => {
    for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) {
      try {
        await stop();
      } catch (error) {
        // The others are stopped all the same.
        say(String(error));
      }
    }
  };
  /** @type {Bench} */
  const bench = {
    quick,
    rounds,
    seconds: quick ? 0.5 : 3,
    say,
    leaveOut(line) {
      say(line);
      bench.leftOut.add(line);
    },
    leftOut: new Set(),
    closing: closing.signal,
    async stage() {
      closing.signal.throwIfAborted();
      return (stage ??= openStage(bench));
    },
    atEnd(stop) {
      stops.push(stop);
      if (closing.signal.aborted) void bench.close();
      closing.signal.throwIfAborted();
    },
    close() {
      closing.abort(new Error("The bench is being closed."));
      return (closed = closed.then(stopAll));
    },
  };
  return bench;
}

const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/**
 * Has a signal close the bench; returns whether one came. npm passes each on a second time, so further ones change nothing.
 * @param {Pick<Bench, "close">} bench
 */
export function closeOnSignal(bench) {
  let isStopped = false;
  for (const signal of signals) {
    process.on(signal, () => {
      isStopped = true;
      void bench.close();
    });
  }
  return () => isStopped;
}

/**
 * Has a signal close the bench and then end the process: for one that may wait for what never comes once it is closed.
 * @param {Pick<Bench, "close">} bench
 */
export function exitOnSignal(bench) {
  for (const signal of signals) process.on(signal, () => void bench.close().then(() => process.exit(130)));
}
