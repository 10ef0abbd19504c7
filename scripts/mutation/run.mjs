// @ts-check
// Mutation testing: `npm run test:mutation`, some parts of it: `npm run test:mutation -- domain outbox`, or some files of a part:
// `npm run test:mutation -- domain --only=src/domain/accounts/*.ts`, if need be with fewer `--tests=`. Changes the code in one place
// after another and runs the tests that reach it; a change that no test notices, or that could not be tried, is a survivor.
// `--sample=0.1` tries a tenth of the changes, the same in every run. Fails below a part's threshold, and for a survivor without a reason. Results are kept in
// .cache/mutation and used again where nothing changed; `--fresh` forgets them.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { installIfNeeded, projectDir, say } from "../install.mjs";
import { testInMemory } from "../memory-base.mjs";
import { forgetSurvivors, judge } from "./judge.mjs";
import { parts } from "./parts.mjs";
import { withOwnMutators } from "./own-mutators.mjs";

process.chdir(projectDir);
await installIfNeeded();
// Only now: on a fresh clone there is no package to import before.
const { Stryker } = await import("@stryker-mutator/core");

const cache = ".cache/mutation";

/** Milliseconds for the tests of one mutant, beside twice what they took without it. Past it, the mutant counts as killed. */
const mutantMs = { alone: 30_000, withDatabase: 90_000 };

/** How often what was found so far is written, so that a run that was cut off goes on there. */
const saveEveryMs = 30_000;

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const [only, onlyTests, sample] = ["--only=", "--tests=", "--sample="].map((flag) =>
  process.argv.find((argument) => argument.startsWith(flag))?.slice(flag.length),
);
const unknown = wanted.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  say(`No part is called ${unknown.join(", ")}; there are ${parts.map(({ name }) => name).join(", ")}.`);
  process.exit(1);
}
if (process.argv.includes("--fresh")) rmSync(cache, { recursive: true, force: true });
mkdirSync(cache, { recursive: true });
await addOwnMutators();
testInMemory();
await planMutants();
await saveWhileRunning();

const reports = [];
for (const part of parts) {
  if (wanted.length > 0 && !wanted.includes(part.name)) continue;
  const report = judge(part, await runPart(part));
  for (const note of report.notes) say(note);
  reports.push(report);
}
say("\nscore    killed   explained   survived   part");
for (const { line } of reports) say(line);
process.exit(reports.every(({ isGood }) => isGood) ? 0 : 1);

/** Stryker has no plugins for mutators, so its list is changed. */
async function addOwnMutators() {
  const { allMutators } = await importFrom("instrumenter/dist/src/mutators/mutate.js");
  allMutators.splice(0, Infinity, ...withOwnMutators(allMutators));
}

/**
 * Leaves the mutants of `--sample`, the same in every run. Limits the time of each: Stryker adds all that the tests took besides running,
 * on a busy machine ten minutes, which a mutant in an endless loop takes in full. Then its process is killed with all its children.
 */
async function planMutants() {
  const { MutantTestPlanner } = await importFrom("core/dist/src/mutants/mutant-test-planner.js");
  const { makePlan, planMutant } = MutantTestPlanner.prototype;
  // What also runs outside of tests, before all of a file for the most part, is noticed by the tests that reach it: the others are left out.
  /** @this {any} @param {any} mutant */
  MutantTestPlanner.prototype.planMutant = function (mutant) {
    this.options.ignoreStatic = this.testCoverage.testsByMutantId.get(mutant.id)?.size > 0;
    return planMutant.call(this, mutant);
  };
  /** @this {any} @param {any[]} mutants */
  MutantTestPlanner.prototype.makePlan = async function (mutants) {
    const tried = mutants.filter((mutant) => isInSample(mutant) && !isStatementName(mutant));
    const plans = await makePlan.call(this, tried);
    const baseMs = process.env["MUTATION_DATABASE"] === "on" ? mutantMs.withDatabase : mutantMs.alone;
    for (const { runOptions, netTime } of plans) if (runOptions) runOptions.timeout = baseMs + 2 * netTime;
    return plans;
  };
}

/** @param {{ fileName: string, location: object, mutatorName: string, replacement: string }} mutant */
function isInSample({ fileName, location, mutatorName, replacement }) {
  if (sample === undefined) return true;
  const identity = JSON.stringify([relative(projectDir, fileName), location, mutatorName, replacement]);
  const share = createHash("sha256").update(identity).digest().readUInt32BE() / 2 ** 32;
  return share < Number(sample);
}

/** The name of a prepared statement changes no result. @param {{ fileName: string, location: { start: { line: number, column: number } } }} mutant */
function isStatementName({ fileName, location: { start } }) {
  const line = readFileSync(fileName, "utf8").split("\n")[start.line] ?? "";
  return line.slice(0, start.column).endsWith(".prepare(");
}

/** Stryker writes the results of a run at its end only. */
async function saveWhileRunning() {
  const { MutationTestReportHelper } = await importFrom("core/dist/src/reporters/mutation-test-report-helper.js");
  const { reportOne } = MutationTestReportHelper.prototype;
  /** @this {any} @param {object} result */
  MutationTestReportHelper.prototype.reportOne = function (result) {
    this.results ??= [];
    this.savedAt ??= Date.now();
    this.results.push(result);
    if (Date.now() - this.savedAt > saveEveryMs) {
      this.savedAt = Date.now();
      void this.mutationTestReport(this.results).then((/** @type {object} */ report) =>
        writeFileSync(this.options.incrementalFile, JSON.stringify(report)),
      );
    }
    return reportOne.call(this, result);
  };
}

/** Returns a module of Stryker's packages, also one that they do not export. @param {string} file */
function importFrom(file) {
  return import(join(projectDir, "node_modules/@stryker-mutator", file));
}

/** @param {import("./parts.mjs").Part} part */
async function runPart(part) {
  say(`\n• ${part.name}`);
  process.env["MUTATION_TESTS"] = onlyTests ?? part.tests.join(" ");
  process.env["MUTATION_DATABASE"] = part.needsDatabase ? "on" : "off";
  const results = join(cache, `${part.name}${only ? `-${only.replace(/\W+/g, "-")}` : ""}.json`);
  if (existsSync(results)) writeFileSync(results, JSON.stringify(forgetSurvivors(JSON.parse(readFileSync(results, "utf8")))));
  const stryker = new Stryker({
    mutate: only ? [only, "!**/*.test.ts"] : Object.keys(part.files),
    testRunner: "vitest",
    vitest: { configFile: "scripts/mutation/vitest.config.mjs", related: true },
    coverageAnalysis: "perTest",
    // Tests share one database server, and a busy machine must not make mutants look killed by a timeout.
    concurrency: part.needsDatabase ? 1 : availableParallelism(),
    timeoutMS: 60_000,
    dryRunTimeoutMinutes: 20,
    incremental: true,
    incrementalFile: results,
    reporters: ["progress-append-only", "html"],
    htmlReporter: { fileName: `${cache}/${part.name}.html` },
    tempDirName: ".cache/stryker",
    ignorePatterns: ["/.cache", "/data", "/dist", "/screenshots"],
    // Stryker rewrites it with TypeScript's JavaScript API, which TypeScript 7 has not.
    tsconfigFile: "no-tsconfig.json",
    logLevel: /** @type {any} */ ("warn"),
    warnings: false,
  });
  return stryker.runMutationTest();
}
