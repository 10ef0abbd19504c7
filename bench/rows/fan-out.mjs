// @ts-check
// A change of a lesson until the last open page has heard of it, and what an open page takes.
import { absolute } from "../frame/figures.mjs";
import { median } from "../frame/median.mjs";
import { proportionalMb } from "../frame/processes.mjs";
import { openStreams } from "../frame/streams.mjs";

/** @typedef {import("../frame/rounds.mjs").Server & { db: import("pg").Client }} Server */

/** @param {import("../frame/bench.mjs").Bench} bench */
export async function run(bench) {
  const { site, bare, students, tokenOf } = await bench.stage();
  const figures = [];
  for (const count of bench.quick ? [200, 1000] : [200, 5000]) {
    const some = students.slice(0, count);
    const tokens = await Promise.all(some.map(tokenOf));
    const ours = await measure(bench, site, tokens);
    const theirs = await measure(
      bench,
      bare,
      some.map(({ sessionId }) => sessionId),
    );
    const ratio = ours.ms / theirs.ms;
    const beside = `bare ${theirs.ms.toFixed(1)} ms`;
    const line = "at most 1.5 of bare";
    const more = { beside, ratio, line, isReached: ratio <= 1.5 };
    figures.push(absolute(`a change to ${count} streams, the last`, ours.ms, "ms", more));
    figures.push(
      absolute(`memory of one of ${count} streams`, ours.kb, "kB", { beside: `bare ${theirs.kb.toFixed(1)} kB`, atMost: 12 }),
    );
  }
  return figures;
}

/** @param {import("../frame/bench.mjs").Bench} bench @param {Server} server @param {string[]} tokens */
async function measure(bench, { name, port, pid, db }, tokens) {
  const before = proportionalMb([pid]) ?? Number.NaN;
  const streams = await openStreams(port, tokens);
  const kb = (((proportionalMb([pid]) ?? Number.NaN) - before) * 1024) / tokens.length;
  const { rows } = await db.query("select id from videos order by id limit 1");
  const { id } = rows[0];
  /** @type {number[]} */
  const times = [];
  for (let round = 0; round < 5 * bench.rounds; round++) {
    const change = () => db.query("update videos set description = description || '' where id = $1", [id]);
    times.push(await streams.reached(`"${id}"`, change));
  }
  streams.close();
  bench.say(`${name}, ${tokens.length} streams: ${median(times).toFixed(1)} ms, ${kb.toFixed(1)} kB each`);
  return { ms: median(times), kb };
}
