import { readFile } from "node:fs/promises";
import { isSoon } from "../client.ts";
import { look } from "../probe.ts";
import { withDescendants } from "../../support/processes.ts";
import { lasting, signal, sudden, type FaultKind } from "./fault-kind.ts";
import type { Random } from "./random.ts";
import type { Part, World } from "./world.ts";

const someRunning = ({ parts }: World, random: Random): Part | undefined =>
  random.pick(parts.filter(({ site }) => site.ending() === undefined));

/** One of them while all serve: a start takes seconds on a busy machine, and then nobody would. */
async function someOfAll({ parts }: World, random: Random): Promise<Part | undefined> {
  const replies = await Promise.all(parts.map(({ site }) => look(`${site.url}/healthz`)));
  return replies.every(({ status }) => status === 200) ? random.pick(parts) : undefined;
}

/** The processes that decode pictures, check passwords and read slips and films. */
async function workers({ parts }: World): Promise<number[]> {
  const all = await Promise.all(parts.map(async ({ site }) => (await withDescendants(site.pid())).slice(1)));
  const isWorker = async (pid: number): Promise<boolean> =>
    (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).includes("-worker.js");
  const pids = all.flat();
  const are = await Promise.all(pids.map(isWorker));
  return pids.filter((_pid, index) => are[index]);
}

const hour = 3600;

export const faultsOfSite: FaultKind[] = [
  sudden("site: process killed (SIGKILL)", 7, async (world, random) => {
    const part = await someOfAll(world, random);
    if (part === undefined || !signal(part.site.pid(), "SIGKILL")) return false;
    await isSoon(() => part.site.ending() !== undefined, 5000);
    return true;
  }),
  sudden("site: process asked to end (SIGTERM)", 1, async (world, random) => {
    const part = await someOfAll(world, random);
    return part !== undefined && signal(part.site.pid(), "SIGTERM");
  }),
  lasting("site: process held still (SIGSTOP)", 8, [100, 1500], (world, random) => {
    const pid = someRunning(world, random)?.site.pid();
    if (pid === undefined || !signal(pid, "SIGSTOP")) return undefined;
    return () => signal(pid, "SIGCONT");
  }),
  sudden("site: worker process killed (SIGKILL)", 16, async (world, random) => {
    const pid = random.pick(await workers(world));
    return pid !== undefined && signal(pid, "SIGKILL");
  }),
  lasting("site: worker process held still (SIGSTOP)", 5, [100, 1000], async (world, random) => {
    const pid = random.pick(await workers(world));
    if (pid === undefined || !signal(pid, "SIGSTOP")) return undefined;
    return () => signal(pid, "SIGCONT");
  }),
  sudden("visitors: all connections cut", 30, ({ parts }, random) => random.pick(parts)?.line.cut()),
  lasting("visitors: line silent", 3, [200, 1500], ({ parts }, random) => {
    const line = random.pick(parts)!.line;
    line.goDark();
    return () => line.restore();
  }),
  lasting("clock: an hour ahead, and back", 0.7, [500, 3000], async (world) => {
    await world.setClock(hour);
    return () => world.setClock(0);
  }),
  lasting("clock: an hour back, and right again", 0.7, [500, 3000], async (world) => {
    await world.setClock(-hour);
    return () => world.setClock(0);
  }),
];
