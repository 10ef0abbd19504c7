// @ts-check
// A site that has been started before, until it is ready; and its memory with its database, at rest and after the other rows of this run.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { absolute } from "../frame/figures.mjs";
import { median } from "../frame/median.mjs";
import { cpuMs, proportionalMb, proportionalMbOfTree, treeOf } from "../frame/processes.mjs";
import { startSite } from "../site.mjs";

/** Longer than the site keeps connections and workers that have nothing to do. */
const restSeconds = 45;

/** @param {import("../frame/bench.mjs").Bench} bench */
export async function run(bench) {
  const { seconds, cpu, restMb } = await secondStart(bench);
  const { site, bare, stopBare } = await bench.stage();
  // The connections of the bare server and of the bench have processes in the same PostgreSQL.
  await Promise.all([stopBare(), site.db.end(), bare.db.end()]);
  const after = await memoryAtRest(bench, site.pid);
  return [
    absolute("second start", seconds, "s", { atMost: 0.8, cpu: cpu.toFixed(0) }),
    absolute("memory at rest", restMb, "MB", { atMost: 110 }),
    absolute("memory above that after this run", after - restMb, "MB", { atMost: 40 }),
  ];
}

/** Starts and stops a site again and again; returns medians, and the memory of the last one. @param {import("../frame/bench.mjs").Bench} bench */
async function secondStart(bench) {
  const folder = mkdtempSync(join(tmpdir(), "pipwright-bench-"));
  chmodSync(folder, 0o755);
  bench.atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const settings = { DATA_DIR: join(folder, "data") };
  const started = async () => {
    const site = await startSite(settings);
    bench.atEnd(site.stop);
    return site;
  };
  await (await started()).stop();
  /** @type {{ seconds: number, cpu: number }[]} */
  const starts = [];
  for (;;) {
    const from = performance.now();
    const site = await started();
    const pid = /** @type {number} */ (site.pid);
    starts.push({ seconds: (performance.now() - from) / 1000, cpu: cpuMs(treeOf(pid)) ?? Number.NaN });
    bench.say(`started in ${starts.at(-1)?.seconds.toFixed(2)} s`);
    const restMb = starts.length < bench.rounds ? undefined : await memoryAtRest(bench, pid);
    await site.stop();
    if (restMb === undefined) continue;
    return { seconds: median(starts.map((one) => one.seconds)), cpu: median(starts.map((one) => one.cpu)), restMb };
  }
}

/** @param {import("../frame/bench.mjs").Bench} bench @param {number} pid */
async function memoryAtRest(bench, pid) {
  bench.say("resting");
  await wait(bench.quick ? 3000 : restSeconds * 1000, undefined, { signal: bench.closing });
  const own = proportionalMb(pid) ?? Number.NaN;
  const all = proportionalMbOfTree(pid) ?? Number.NaN;
  bench.say(`${all.toFixed(0)} MB, of which ${own.toFixed(0)} are of the site's process`);
  return all;
}
