// @ts-check
// What the product does beside a bare server of node:http and pg that does the same work, and beside nginx: `npm run bench`, `npm run bench -- list quote`
// for some rows. It starts what it needs, measures in turns, and prints one table with the line that each row must reach. `--quick` is a look at
// whether the rows work, `--rounds=5` measures longer, `--save` writes the table into bench/README.md, `--profile` prints where the site's time goes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { memoryBase } from "../scripts/memory-base.mjs";
import { buildIfStale, giveUp, installIfNeeded, projectDir } from "../scripts/install.mjs";

/** In the order in which they run. Loaded when they run: before the installation there is no pg. */
const rows = {
  list: () => import("./rows/list.mjs"),
  quote: () => import("./rows/quote.mjs"),
  submit: () => import("./rows/submit.mjs"),
  ranges: () => import("./rows/ranges.mjs"),
  "sign-in": () => import("./rows/sign-in.mjs"),
  landing: () => import("./rows/landing.mjs"),
  upload: () => import("./rows/upload.mjs"),
  screenshots: () => import("./rows/screenshots.mjs"),
  "fan-out": () => import("./rows/fan-out.mjs"),
  pages: () => import("./rows/pages.mjs"),
  scale: () => import("./rows/scale.mjs"),
  admin: () => import("./rows/admin.mjs"),
  start: () => import("./rows/start.mjs"),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    save: { type: "boolean", default: false },
    profile: { type: "boolean", default: false },
    rounds: { type: "string" },
  },
});
const unknown = positionals.filter((name) => !(name in rows));
if (unknown.length > 0) giveUp(`There is no row ${unknown.join(", ")}. The rows are ${Object.keys(rows).join(", ")}.`);
const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
if (!Number.isSafeInteger(rounds) || rounds < 1) giveUp("--rounds must be a whole number from 1.");
process.chdir(projectDir);
await installIfNeeded();
await buildIfStale("site");
const memory = memoryBase(6 * 2 ** 30);
if (memory !== undefined) process.env["TMPDIR"] ??= memory;
if (values.profile) {
  process.env["BENCH_PROFILES"] = mkdtempSync(join(tmpdir(), "pipwright-profiles-"));
  await (await import("./frame/profile.mjs")).buildWithMaps();
}
const { closeOnSignal, openBench } = await import("./frame/bench.mjs");
const { machine, tableOf } = await import("./frame/table.mjs");

const bench = openBench({ quick: values.quick, rounds, say: (line) => void process.stderr.write(`  ${line}\n`) });
/** @type {import("./frame/figures.mjs").Figure[]} */
const figures = [];
let failed = 0;
const isStopped = closeOnSignal(bench);
try {
  for (const [name, row] of Object.entries(rows)) {
    if (isStopped()) break;
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    bench.say(`-- ${name}`);
    try {
      figures.push(...(await (await row()).run(bench)));
    } catch (error) {
      if (isStopped()) break;
      failed += 1;
      console.error(`${name} could not be measured:`, error);
    }
  }
} finally {
  await bench.close();
}
report();
if (values.profile) await reportProfile(process.env["BENCH_PROFILES"] ?? "");
if (isStopped()) process.exit(130);
if (values.save) saveTable(`${new Date().toISOString().slice(0, 10)}, ${tableNow()}`);
process.exit(failed + missed() === 0 ? 0 : 1);

/** @param {string} folder */
async function reportProfile(folder) {
  const { profileTable } = await import("./frame/profile.mjs");
  console.log(`\n${profileTable(folder)}`);
  rmSync(folder, { recursive: true });
}

function report() {
  console.log(`\n${tableNow()}\n\n${failed} rows failed, ${missed()} lines are not reached.`);
}

function tableNow() {
  return `${machine()}; ${rounds} rounds\n\n${tableOf(figures)}`;
}

function missed() {
  return figures.filter(({ isReached }) => isReached === false).length;
}

/** Replaces the table in the README. @param {string} text */
function saveTable(text) {
  const readme = "bench/README.md";
  const [before, after] = readFileSync(readme, "utf8").split(/(?<=<!-- table -->\n)[^]*(?=<!-- end -->)/);
  writeFileSync(readme, `${before}\n${text}\n\n${after}`);
}
