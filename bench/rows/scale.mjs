// @ts-check
// What a second core and a second process bring to one site, and what files in a bucket take off it.
import { cpus } from "node:os";
import { join } from "node:path";
import { canPin, pin } from "../frame/cores.mjs";
import { compared } from "../frame/figures.mjs";
import { sideBySide } from "../frame/rounds.mjs";
import { admin } from "../frame/stage.mjs";
import { databaseOf, startSite } from "../site.mjs";
import { bucketFigures } from "./bucket.mjs";
import { listRound } from "./list.mjs";
import { quoteRound } from "./quote.mjs";
import { signInRound } from "./sign-in.mjs";
import { submitRound } from "./submit.mjs";

/** @typedef {ReturnType<import("../frame/rounds.mjs").Side["round"]>} Round */

/** @param {import("../frame/bench.mjs").Bench} bench */
export async function run(bench) {
  if (!canPin || cpus().length < 2) {
    bench.leaveOut("left out: this needs two cores, and taskset (Debian: util-linux)");
    return [];
  }
  const stage = await bench.stage();
  const { site, students, tokenOf } = stage;
  const second = await startSecond(bench, site);
  const roots = [site.pid, second.pid, /** @type {number} */ (site.database)];
  // Each of three sides has a fifth: the row `submit` may have taken the rest.
  const perRound = Math.min(400, site.buyers.perRound(1 / 5, bench.rounds));

  /** @type {Record<string, () => Round>} */
  const works = {
    "list of 60 videos": () => listRound(stage),
    quote: () => quoteRound(stage),
    submit: () => submitRound(site, site.buyers.take(perRound), tokenOf),
    "sign-in": () => signInRound(site.db, students),
  };
  const figures = [];
  try {
    for (const [what, round] of Object.entries(works)) {
      bench.say(`- ${what}`);
      const on = (/** @type {number | undefined} */ cores) => async () => {
        const prepared = await round();
        pin(roots, cores);
        return prepared;
      };
      const [two, one, both] = await sideBySide(bench, [
        { server: { ...site, name: "1 process" }, round: on(undefined) },
        { server: { ...site, name: "1 core" }, round: on(1) },
        { server: { ...site, name: "2 processes", beside: second }, round: on(undefined) },
      ]);
      if (both === undefined) throw new Error("A side is missing.");
      figures.push(compared(`${what}: all cores`, two, one), compared(`${what}: 2 processes`, both, two));
    }
  } finally {
    // The last round may have been that of one core, and other rows follow.
    pin(roots);
    await second.stop();
  }
  return [...figures, ...(await bucketFigures(bench, stage))];
}

/**
 * Starts another process of the same site, on its database and its files.
 * @param {import("../frame/bench.mjs").Bench} bench @param {import("../frame/stage.mjs").Stage["site"]} site
 */
async function startSecond(bench, site) {
  const { host } = databaseOf(site);
  const address = `postgres:///pipwright?host=${encodeURIComponent(host)}&user=pipwright_site`;
  const settings = { DATABASE_URL: address, DATA_DIR: join(site.folder, "data") };
  const second = await startSite({ ...settings, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password });
  bench.atEnd(second.stop);
  return { port: Number(new URL(second.origin).port), pid: /** @type {number} */ (second.pid), stop: second.stop };
}
