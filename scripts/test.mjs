// @ts-check
// Everything: what a newcomer and CI run. The last line is `N passed, N failed`.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findOrInstallBrowser } from "./browser.mjs";
import { runToEnd } from "./children.mjs";
import { hasPostgres, installProxies, installS3Server } from "./debian.mjs";
import { buildIfStale, installIfNeeded, projectDir, say } from "./install.mjs";
import { testInMemory } from "./memory-base.mjs";
import { journeysProgram, vitestProgram } from "./test-programs.mjs";
import { readJourneys, readVitest } from "./test-reports.mjs";

/** @typedef {import("./test-reports.mjs").Outcome} Outcome */

process.chdir(projectDir);
await installIfNeeded();
const browser = findOrInstallBrowser();
installS3Server();
installProxies();
await buildIfStale("site");
await buildIfStale("demo");

const results = join(projectDir, ".cache/test-results");
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const counts = { passed: 0, skipped: 0, failed: 0 };
/** @type {string[]} */
const failures = [];
const isSystemPostgresThere = hasPostgres();
if (!isSystemPostgresThere) say("• No PostgreSQL of the system's here: the server's tests run on the embedded one only.");

testInMemory();

// Side by side, because each waits a good part of its time.
const lanes = [codeAndServer(), journeys()];
await Promise.race(lanes);
await vitest("Faults put on the built product (for longer: npm run faults)", "faults", {}, ["--project", "faults"]);
await Promise.all(lanes);

// Again at the end, which is all that some logs keep.
say(["", ...failures, ""].join("\n"));
if (counts.skipped > 0) say(`${counts.skipped} skipped: they need what this machine has not, or run in a longer form only`);
say(`${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);

async function codeAndServer() {
  await step("Formatting, lint and types", "npm", ["run", "--silent", "check:static"], {}, (isGood) => ({
    passed: isGood ? 1 : 0,
    skipped: 0,
    failures: [],
  }));
  const server = isSystemPostgresThere
    ? "server features on the system's PostgreSQL, SQL on the embedded one too"
    : "server features on the embedded PostgreSQL";
  const environment = { TEST_POSTGRES: isSystemPostgresThere ? "system" : "embedded" };
  await vitest(`Rules, module boundaries, screens, ${server}`, "units", environment, ["--project", "!faults"]);
}

async function journeys() {
  const file = join(results, "journeys.json");
  // Playwright sets FORCE_COLOR too, and node warns of it beside NO_COLOR.
  const environment = { CHROMIUM: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: file, FORCE_COLOR: "0" };
  await step("Journeys in Chromium", process.execPath, journeysProgram, environment, () => readJourneys(file));
}

/** @param {string} title @param {string} name @param {Record<string, string>} environment @param {string[]} args */
async function vitest(title, name, environment, args) {
  const file = join(results, `${name}.json`);
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${file}`, "--silent=passed-only"];
  const program = [...vitestProgram, ...reporters, ...args];
  await step(title, process.execPath, program, { NO_COLOR: "1", ...environment }, () => readVitest(file));
}

/**
 * Runs a program and counts what it reports; what it prints comes as one block at its end, since another runs beside it.
 * @param {string} title @param {string} command @param {string[]} args @param {Record<string, string>} environment
 * @param {(isGood: boolean) => Outcome} outcomeOf
 */
async function step(title, command, args, environment, outcomeOf) {
  const started = Date.now();
  say(`• ${title}…`);
  const { status, output } = await runToEnd(command, args, { ...process.env, ...environment });
  const outcome = outcomeOf(status === 0);
  counts.passed += outcome.passed;
  counts.skipped += outcome.skipped;
  // A run that failed counts at least one failure, also when it died before it could count.
  const failed = status !== 0 && outcome.failures.length === 0 ? ["the run itself"] : outcome.failures;
  counts.failed += failed.length;
  failures.push(...failed.map((name) => `✘ ${title}: ${name}`));
  say(output.trimEnd());
  const seconds = Math.round((Date.now() - started) / 1000);
  say(`• ${title}: ${seconds} s; so far ${counts.passed} passed, ${counts.failed} failed`);
}
