// @ts-check
// One figure is one line of the table.

/**
 * @typedef {object} Figure
 * @property {string} what
 * @property {string} ours
 * @property {string} beside whose figure ours is compared with, and that figure; empty for an absolute one
 * @property {number | undefined} ratio
 * @property {number | undefined} byCpu the same ratio by the CPU time of server and database for each request, which other work on the machine changes least
 * @property {string} line what must be reached; empty where there is none
 * @property {boolean | undefined} isReached undefined where there is no line
 * @property {string} p99 in ms, ours and theirs, as the next two
 * @property {string} cpu ms of CPU for each request, of the server and of the database
 * @property {string} memory peak of the server process in MB
 * @property {string} generator share of one core that sending the requests took
 */

/**
 * Compares what two servers do in a second.
 * @param {string} what
 * @param {import("./rounds.mjs").Measured} ours @param {import("./rounds.mjs").Measured} theirs
 * @param {number} [least] the ratio to reach
 * @returns {Figure}
 */
export function compared(what, ours, theirs, least) {
  const both = (/** @type {(measured: import("./rounds.mjs").Measured) => string} */ text) => `${text(ours)} · ${text(theirs)}`;
  const ratio = ours.perSecond / theirs.perSecond;
  return {
    what,
    ours: `${count(ours.perSecond)}/s`,
    beside: `${theirs.name} ${count(theirs.perSecond)}/s`,
    ratio,
    byCpu: (theirs.serverMs + theirs.databaseMs) / (ours.serverMs + ours.databaseMs),
    line: least === undefined ? "" : `${least} of ${theirs.name}`,
    isReached: least === undefined ? undefined : ratio >= least,
    p99: both(({ p99 }) => p99.toFixed(1)),
    cpu: both(({ serverMs, databaseMs }) => `${serverMs.toFixed(2)}+${databaseMs.toFixed(2)}`),
    memory: both(({ peakMb }) => peakMb.toFixed(0)),
    generator: `${Math.round(100 * Math.max(ours.generatorShare, theirs.generatorShare))}%`,
  };
}

/**
 * A figure that stands alone.
 * @param {string} what @param {number} value @param {string} unit
 * @param {{ atMost?: number, atLeast?: number } & Partial<Figure>} [more]
 * @returns {Figure}
 */
export function absolute(what, value, unit, { atMost, atLeast, ...more } = {}) {
  const isReached = atMost !== undefined ? value <= atMost : atLeast !== undefined ? value >= atLeast : undefined;
  const line = atMost !== undefined ? `at most ${atMost} ${unit}` : atLeast !== undefined ? `at least ${atLeast} ${unit}` : "";
  const ours = `${count(value)} ${unit}`;
  const none = { beside: "", ratio: undefined, byCpu: undefined, p99: "", cpu: "", memory: "", generator: "" };
  return { ...none, what, ours, line, isReached, ...more };
}

/** @param {number} value */
function count(value) {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(value >= 10 ? 1 : 2);
}
