// @ts-check
// What the product does beside a bare server of node:http and pg that does the same work, and beside nginx: `npm run bench`, `npm run bench -- list quote`
// for some rows. It starts what it needs, measures in turns, and prints one table with the line that each row must reach. `--quick` is a look at
// whether the rows work, `--rounds=5` measures longer, `--save` writes the whole table into bench/README.md, unless something
// of it fails or is left out, `--profile` prints where the site's time goes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildIfStale, giveUp, installIfNeeded, projectDir } from "../scripts/install.mjs";
import { readArguments } from "./frame/arguments.mjs";
import { writeToMemory } from "./frame/in-memory.mjs";

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

const { quick, save, profile, rounds, names } = wanted();
process.chdir(projectDir);
await installIfNeeded();
await buildIfStale("site");
const say = (/** @type {string} */ line) => void process.stderr.write(`  ${line}\n`);
const isAdminWhole = !quick && (names.length === 0 || names.includes("admin"));
writeToMemory(isAdminWhole ? 10 : 6, say);
if (profile) {
  process.env["BENCH_PROFILES"] = mkdtempSync(join(tmpdir(), "pipwright-profiles-"));
  await (await import("./frame/profile.mjs")).buildWithMaps();
}
const { closeOnSignal, openBench } = await import("./frame/bench.mjs");
const { machine, tableOf } = await import("./frame/table.mjs");

const bench = openBench({ quick, rounds, say });
/** @type {import("./frame/figures.mjs").Figure[]} */
const figures = [];
let failed = 0;
const isStopped = closeOnSignal(bench);
try {
  for (const [name, row] of Object.entries(rows)) {
    if (isStopped()) break;
    if (names.length > 0 && !names.includes(name)) continue;
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
if (profile) await reportProfile(process.env["BENCH_PROFILES"] ?? "");
if (isStopped()) process.exit(130);
const lacking = failed > 0 ? ["a row has failed"] : [...bench.leftOut];
if (save && lacking.length > 0) console.error(`The table is not saved: ${lacking.join("; ")}`);
else if (save) saveTable(`${new Date().toISOString().slice(0, 10)}, ${tableNow()}`);
const isSaved = !save || lacking.length === 0;
process.exit(failed + missed() === 0 && isSaved ? 0 : 1);

function wanted() {
  try {
    return readArguments(process.argv.slice(2), Object.keys(rows));
  } catch (error) {
    return giveUp(/** @type {Error} */ (error).message);
  }
}

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
