// @ts-check
// Mutation testing: `npm run test:mutation`, some parts of it: `npm run test:mutation -- domain outbox`, or some files of a part:
// `npm run test:mutation -- domain --only=src/domain/accounts/*.ts`, if need be with fewer `--tests=`. Changes the code in one place
// after another and runs the tests that reach it; a change that no test notices is a survivor. Fails below a part's threshold, and
// for a survivor without a reason. Results are kept in .cache/mutation and used again where nothing changed; `--fresh` forgets them.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { installIfNeeded, projectDir, say } from "../install.mjs";
import { parts } from "./parts.mjs";
import { limitMutator, queryMutator } from "./own-mutators.mjs";

process.chdir(projectDir);
await installIfNeeded();
// Only now: on a fresh clone there is no package to import before.
const { Stryker } = await import("@stryker-mutator/core");

const cache = ".cache/mutation";
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const [only, onlyTests] = ["--only=", "--tests="].map((flag) =>
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

const reports = [];
for (const part of parts) {
  if (wanted.length === 0 || wanted.includes(part.name)) reports.push(judge(part, await runPart(part)));
}
say("\nscore    killed   explained   survived   part");
for (const { line } of reports) say(line);
process.exit(reports.every(({ isGood }) => isGood) ? 0 : 1);

/** Stryker has no plugins for mutators, so ours join its list. */
async function addOwnMutators() {
  const file = join(projectDir, "node_modules/@stryker-mutator/instrumenter/dist/src/mutators/mutate.js");
  const { allMutators } = await import(file);
  allMutators.push(queryMutator, limitMutator);
}

/** @param {import("./parts.mjs").Part} part */
async function runPart(part) {
  say(`\n• ${part.name}`);
  process.env["MUTATION_TESTS"] = onlyTests ?? part.tests.join(" ");
  process.env["MUTATION_ISOLATE"] = part.mocksModules ? "on" : "off";
  process.env["MUTATION_DATABASE"] = part.needsDatabase ? "on" : "off";
  const results = join(cache, `${part.name}${only ? `-${only.replace(/\W+/g, "-")}` : ""}.json`);
  forgetSurvivors(results);
  const stryker = new Stryker({
    mutate: only ? [only, "!**/*.test.ts"] : Object.keys(part.files),
    testRunner: "vitest",
    vitest: { configFile: "scripts/mutation/vitest.config.mjs", related: true },
    coverageAnalysis: "perTest",
    // Tests share one database server, and a busy machine must not make mutants look killed by a timeout.
    concurrency: 1,
    timeoutMS: 60_000,
    dryRunTimeoutMinutes: 20,
    incremental: true,
    incrementalFile: results,
    reporters: ["progress-append-only", "html"],
    htmlReporter: { fileName: `${cache}/${part.name}.html` },
    tempDirName: ".cache/stryker",
    ignorePatterns: ["/.cache", "/data", "/dist", "/docs", "/screenshots", "/test-results"],
    // Stryker rewrites it with TypeScript's JavaScript API, which TypeScript 7 has not.
    tsconfigFile: "no-tsconfig.json",
    logLevel: /** @type {any} */ ("warn"),
    warnings: false,
  });
  return stryker.runMutationTest();
}

/** A survivor is always tried again: Stryker does not see that a new test may reach a constant. @param {string} file */
function forgetSurvivors(file) {
  if (!existsSync(file)) return;
  const report = JSON.parse(readFileSync(file, "utf8"));
  for (const source of Object.values(report.files)) {
    source.mutants = source.mutants.filter((/** @type {{ status: string }} */ { status }) => status !== "Survived");
  }
  writeFileSync(file, JSON.stringify(report));
}

/**
 * Prints the survivors of a part. A mutant that a comment in the code excuses with a reason counts as one, but a named one.
 * @param {import("./parts.mjs").Part} part
 * @param {Awaited<ReturnType<typeof runPart>>} mutants
 */
function judge(part, mutants) {
  /** @param {string[]} statuses */
  const withStatus = (...statuses) => mutants.filter(({ status }) => statuses.includes(status));
  const killed = withStatus("Killed", "Timeout").length;
  const explained = withStatus("Ignored").length;
  const survivors = withStatus("Survived", "NoCoverage");
  for (const { fileName, location, mutatorName, replacement, status } of survivors) {
    say(`  ${relative(projectDir, fileName)}:${location.start.line} ${mutatorName} (${status}): ${replacement}`);
  }
  const score = (100 * killed) / (killed + explained + survivors.length);
  const figures = [killed, explained, survivors.length].map((count, index) => String(count).padStart([9, 11, 10][index] ?? 0));
  const isGood = score >= part.threshold && survivors.length === 0;
  return { isGood, line: `${score.toFixed(1).padStart(5)} % ${figures.join(" ")}   ${part.name}` };
}
