// @ts-check
// Builds the product, serves it on a scratch folder, and measures what a phone sees: `npm run bench:web`.
// Lighthouse is fetched for the run and no dependency: it would double every newcomer's install.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { browserFlags, findBrowser } from "../scripts/browser.mjs";
import { buildIfStale, installIfNeeded, projectDir } from "../scripts/install.mjs";
import { wholeNumberAbove } from "../scripts/number-above.mjs";
import { median } from "./frame/median.mjs";
import { runProgram } from "./frame/program.mjs";
import { startSite } from "./site.mjs";

const runs = wholeNumberAbove(0, "BENCH_RUNS", process.env["BENCH_RUNS"] ?? "5");
process.chdir(projectDir);
await installIfNeeded();
await buildIfStale("site");
// Loaded here: before the installation there is no Playwright and no pg.
const { closeOnSignal, openBench } = await import("./frame/bench.mjs");
const { measureWire } = await import("./wire.mjs");
const lighthouse = "lighthouse@12.8.2";
const chromium = findBrowser();

/** The lines to reach; what is not named has none. */
const targets = {
  "/": { performance: 98, accessibility: 100, "best-practices": 100, seo: 100, cls: 0, scriptBytes: 3000, allBytes: 85_000 },
  "/auth": { performance: 97, accessibility: 100, "best-practices": 100, seo: 100 },
};

let allMet = true;
const bench = openBench({ quick: false, rounds: runs, say: (line) => void process.stderr.write(`  ${line}\n`) });
const isStopped = closeOnSignal(bench);
try {
  const site = await startSite();
  bench.atEnd(site.stop);
  for (const [route, wanted] of Object.entries(targets)) report(route, wanted, await measure(site, route));
} catch (error) {
  if (!isStopped()) throw error;
} finally {
  await bench.close();
}
if (isStopped()) process.exit(130);
console.log(allMet ? "\nAll targets met." : "\nNot all targets are met.");
process.exit(allMet ? 0 : 1);

/** @param {{ origin: string, folder: string }} site @param {string} route @returns {Promise<Record<string, number>>} */
async function measure({ origin, folder }, route) {
  const url = origin + route;
  /** @type {Record<string, number>[]} */
  const found = [];
  for (let count = 1; count <= runs; count++) {
    bench.say(`${url}: Lighthouse ${count} of ${runs}`);
    found.push(await lighthouseRun(url, folder));
  }
  const names = Object.keys(found[0] ?? {});
  const medians = names.map((name) => /** @type {const} */ ([name, median(found.map((one) => one[name] ?? Number.NaN))]));
  return { ...Object.fromEntries(medians), ...(await measureWire(url, chromium, browserFlags)) };
}

/** Chromium now and then gives Lighthouse no trace (NO_NAVSTART): that says nothing of the page, so it is asked again. */
/** @param {string} url @param {string} folder @param {number} [tries] @returns {Promise<Record<string, number>>} */
async function lighthouseRun(url, folder, tries = 3) {
  const file = join(folder, "lighthouse.json");
  const flags = ["--headless=new", ...browserFlags].join(" ");
  const args = [url, "--quiet", "--form-factor=mobile", "--output=json", `--output-path=${file}`, `--chrome-flags=${flags}`];
  try {
    const env = { ...process.env, CHROME_PATH: chromium, npm_config_loglevel: "error" };
    await runProgram(bench, "npm", ["exec", "--yes", "--", lighthouse, ...args], { cwd: projectDir, env });
  } catch (error) {
    if (tries === 1 || isStopped()) throw error;
    return lighthouseRun(url, folder, tries - 1);
  }
  const { categories, audits, runtimeError } = JSON.parse(readFileSync(file, "utf8"));
  if (runtimeError) throw new Error(runtimeError.message);
  const scores = ["performance", "accessibility", "best-practices", "seo"].map((name) => [
    name,
    Math.round(categories[name].score * 100),
  ]);
  if (process.env["BENCH_AUDITS"]) listFailures(audits);
  return {
    ...Object.fromEntries(scores),
    lcp: audits["largest-contentful-paint"].numericValue,
    fcp: audits["first-contentful-paint"].numericValue,
    tbt: audits["total-blocking-time"].numericValue,
    cls: audits["cumulative-layout-shift"].numericValue,
  };
}

/** What is behind a score, for whoever asks by BENCH_AUDITS=1. @param {Record<string, { id: string, score: number | null, title: string, displayValue?: string }>} audits */
function listFailures(audits) {
  for (const { id, score, title, displayValue } of Object.values(audits)) {
    if (score !== null && score < 0.9) process.stderr.write(`    ${score} ${id}: ${title} ${displayValue ?? ""}\n`);
  }
}

/** @param {string} route @param {Record<string, number>} wanted @param {Record<string, number>} found */
function report(route, wanted, found) {
  console.log(`\n${route}, median of ${runs}`);
  for (const [name, value] of Object.entries(found)) {
    const target = wanted[name];
    const isFloor = target !== undefined && name in { performance: 0, accessibility: 0, "best-practices": 0, seo: 0 };
    const isMet = target === undefined || (isFloor ? value >= target : value <= target);
    allMet &&= isMet;
    const beside = target === undefined ? "" : `${isFloor ? "at least" : "at most"} ${target}: ${isMet ? "met" : "NOT MET"}`;
    console.log(`  ${name.padEnd(16)} ${shown(name, value).padStart(10)}   ${beside}`.trimEnd());
  }
}

/** @param {string} name @param {number} value */
function shown(name, value) {
  if (name.endsWith("Bytes")) return `${value} B`;
  return name === "cls" ? value.toFixed(3) : ["lcp", "fcp", "tbt"].includes(name) ? `${Math.round(value)} ms` : String(value);
}
