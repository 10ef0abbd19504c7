// @ts-check
// Measures servers in turns under the same load.
import { load } from "./load.mjs";
import { median } from "./median.mjs";
import { cpuMs, peakMb, resetPeak, treeOf, untilQuiet } from "./processes.mjs";

/**
 * `database` is the process of its PostgreSQL; `beside` is another process of the same site, which takes half of the requests; `behind` is one that this
 * server asks.
 * @typedef {{ name: string, port: number, pid: number, database?: number, beside?: { port: number, pid: number }, behind?: number }} Server
 */
/** @typedef {() => import("./load.mjs").Sending | undefined} Next */
/** @typedef {{ server: Server, round: () => Promise<{ next: Next, verify?: (count: number) => Promise<void> }> }} Side */
/**
 * Medians of the rounds. Times in ms; CPU in ms for each request, of the server and of the database; the generator's as a share of one core.
 * @typedef {{ name: string, perSecond: number, p99: number, serverMs: number, databaseMs: number, peakMb: number, generatorShare: number }} Measured
 */

/**
 * Returns what each server does, in the order of `sides`. `round` prepares the requests of a round; `verify` throws where the round's work is not in
 * the database. The first round only warms up; every round begins with another server.
 * @param {import("./bench.mjs").Bench} bench
 * @param {[Side, Side, ...Side[]]} sides
 * @param {{ connections?: number }} [options]
 * @returns {Promise<[Measured, Measured, ...Measured[]]>}
 */
export async function sideBySide(bench, sides, { connections = 16 } = {}) {
  for (const { server } of sides) processesOf(server).forEach(resetPeak);
  /** @type {Map<Side, Omit<Measured, "name">[]>} */
  const rounds = new Map(sides.map((side) => [side, []]));
  for (let number = 0; number <= bench.rounds; number++) {
    const order = sides.map((_side, place) => /** @type {Side} */ (sides[(place + number) % sides.length]));
    for (const side of order) {
      const { server } = side;
      const databaseTree = () => databaseOf(server);
      const serverTree = () =>
        processesOf(server)
          .flatMap(treeOf)
          .filter((pid) => !databaseTree().includes(pid));
      const { next, verify } = await side.round();
      await untilQuiet([
        ...new Set(sides.flatMap((one) => [...processesOf(one.server).flatMap(treeOf), ...databaseOf(one.server)])),
      ]);
      const before = [cpuMs(serverTree()), cpuMs(databaseTree())];
      const { count, ...found } = await load({ ports: portsOf(server), connections, seconds: bench.seconds, next });
      const after = [cpuMs(serverTree()), cpuMs(databaseTree())];
      await verify?.(count);
      if (count === 0) throw new Error(`${server.name} got no request.`);
      const [serverMs = Number.NaN, databaseMs = Number.NaN] = after.map((ms, place) => perRequest(before[place], ms, count));
      bench.say(`${server.name}: ${found.perSecond.toFixed(0)}/s, p99 ${found.p99.toFixed(1)} ms`);
      const peak = Math.max(...processesOf(server).map((pid) => peakMb(pid) ?? Number.NaN));
      if (number > 0) rounds.get(side)?.push({ ...found, serverMs, databaseMs, peakMb: peak });
    }
  }
  const measured = [...rounds].map(([{ server }, found]) => ({ name: server.name, ...mediansOf(found) }));
  return /** @type {[Measured, Measured, ...Measured[]]} */ (measured);
}

/** @param {Server} server */
const processesOf = ({ pid, beside, behind }) => [pid, beside?.pid, behind].filter((one) => one !== undefined);

/** @param {Server} server */
const portsOf = ({ port, beside }) => (beside ? [port, beside.port] : [port]);

/** @param {Server} server */
function databaseOf({ database }) {
  return database === undefined ? [] : treeOf(database);
}

/** @param {number | undefined} before @param {number | undefined} after @param {number} count */
function perRequest(before, after, count) {
  return before === undefined || after === undefined ? Number.NaN : (after - before) / count;
}

/** @param {Omit<Measured, "name">[]} rounds @returns {Omit<Measured, "name">} */
function mediansOf(rounds) {
  const of = (/** @type {keyof Omit<Measured, "name">} */ key) => median(rounds.map((round) => round[key]));
  return {
    perSecond: of("perSecond"),
    p99: of("p99"),
    serverMs: of("serverMs"),
    databaseMs: of("databaseMs"),
    peakMb: Math.max(...rounds.map((round) => round.peakMb)),
    generatorShare: of("generatorShare"),
  };
}
