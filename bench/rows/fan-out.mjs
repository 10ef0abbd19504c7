// @ts-check
// A change of a lesson until the last open page has heard of it, and what an open page takes.
import { absolute } from "../frame/figures.mjs";
import { median } from "../frame/median.mjs";
import { proportionalMb, treeOf, untilQuiet } from "../frame/processes.mjs";
import { openStreams } from "../frame/streams.mjs";

/** @typedef {import("../frame/rounds.mjs").Server & { db: import("pg").Client }} Server */

/** @param {import("../frame/bench.mjs").Bench} bench */
export async function run(bench) {
  const { site, bare, students, tokenOf } = await bench.stage();
  const figures = [];
  for (const count of bench.quick ? [200, 1000] : [200, 5000]) {
    const some = students.slice(0, count);
    const tokens = await Promise.all(some.map(tokenOf));
    const sessions = some.map(({ sessionId }) => sessionId);
    const [ours, theirs] = [await opened(site, tokens), await opened(bare, sessions)];
    for (let round = 0; round <= 5 * bench.rounds; round++) {
      for (const one of round % 2 === 0 ? [ours, theirs] : [theirs, ours]) {
        await untilQuiet([site.pid, bare.pid].flatMap(treeOf));
        await one.change();
      }
    }
    for (const one of [ours, theirs]) await one.close();
    // The first only warms up.
    const [ms, besideMs] = [median(ours.times.slice(1)), median(theirs.times.slice(1))];
    bench.say(`${count} streams: ${ms.toFixed(1)} ms, ${ours.kb.toFixed(1)} kB each`);
    const [ratio, line] = [ms / besideMs, "at most 1.5 of bare"];
    const more = { beside: `bare ${besideMs.toFixed(1)} ms`, ratio, line, isReached: ratio <= 1.5 };
    figures.push(absolute(`a change to ${count} streams, the last`, ms, "ms", more));
    // Of few streams it is less than what the rest of the process varies by.
    if (count < 1000) continue;
    const beside = `bare ${theirs.kb.toFixed(1)} kB`;
    figures.push(absolute(`memory of one of ${count} streams`, ours.kb, "kB", { beside, atMost: 12 }));
  }
  return figures;
}

/** Opens streams on a server. @param {Server} server @param {string[]} tokens */
async function opened({ port, pid, db }, tokens) {
  const before = proportionalMb(pid) ?? Number.NaN;
  const streams = await openStreams(port, tokens);
  const kb = (((proportionalMb(pid) ?? Number.NaN) - before) * 1024) / tokens.length;
  const { rows } = await db.query("select id from videos order by id limit 1");
  const { id } = rows[0];
  /** @type {number[]} */
  const times = [];
  const update = () => db.query("update videos set description = description || '' where id = $1", [id]);
  return {
    kb,
    times,
    /** Changes a lesson; adds the ms until the last stream has heard of it to `times`. */
    change: async () => void times.push(await streams.reached(`"${id}"`, update)),
    async close() {
      streams.close();
      // The next streams must not find these still open.
      await untilQuiet(treeOf(pid));
    },
  };
}
