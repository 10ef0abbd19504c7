// @ts-check
// Everything: what a newcomer and CI run. The last line is `N passed, N failed`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildIfStale, giveUp, installIfNeeded, projectDir, say } from "./install.mjs";

process.chdir(projectDir);
await installIfNeeded();
const browser = findOrInstallBrowser();

const results = join(projectDir, ".cache/test-results");
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const counts = { passed: 0, failed: 0 };

await step("Formatting, lint and types", () => check("npm", ["run", "--silent", "check:static"]));
await step("Rules, module boundaries and server features on the embedded PostgreSQL", () =>
  vitest("embedded", {}, ["--project", "!faults"]),
);
if (existsSync("/usr/lib/postgresql")) {
  await step("Server features again on the system's PostgreSQL", () =>
    vitest("system", { TEST_POSTGRES: "system" }, ["--project", "server"]),
  );
} else {
  say("• No PostgreSQL of the system's here: the server features ran on the embedded one only.");
}
await step("Faults put on the built product (all of them, for longer: npm run faults)", async () => {
  await buildIfStale("site");
  vitest("faults", {}, ["--project", "faults"]);
});
await step("Journeys in Chromium", async () => {
  await buildIfStale("demo");
  playwright();
});

say("");
say(`${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);

/** @param {string} title @param {() => unknown} run */
async function step(title, run) {
  const started = Date.now();
  say(`• ${title}…`);
  await run();
  say(`  ${Math.round((Date.now() - started) / 1000)} s; so far ${counts.passed} passed, ${counts.failed} failed`);
}

/** @param {string} command @param {string[]} args */
function check(command, args) {
  if (spawnSync(command, args, { stdio: "inherit" }).status === 0) counts.passed += 1;
  else counts.failed += 1;
}

/** @param {string} name @param {Record<string, string>} environment @param {string[]} args */
function vitest(name, environment, args) {
  const file = join(results, `${name}.json`);
  const run = spawnSync(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", "--reporter=dot", "--reporter=json", `--outputFile.json=${file}`, ...args],
    // In a log file, colours are only noise.
    { stdio: "inherit", env: { ...process.env, ...(process.stdout.isTTY ? {} : { NO_COLOR: "1" }), ...environment } },
  );
  const report = readReport(file);
  count(run.status, report?.numPassedTests ?? 0, report?.numFailedTests ?? 0);
}

function playwright() {
  const file = join(results, "journeys.json");
  const run = spawnSync(process.execPath, ["node_modules/@playwright/test/cli.js", "test"], {
    stdio: "inherit",
    env: { ...process.env, CHROMIUM: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  });
  const stats = readReport(file)?.stats;
  count(run.status, (stats?.expected ?? 0) + (stats?.flaky ?? 0), stats?.unexpected ?? 0);
}

/** A run that failed counts at least one failure, also when it died before it could count. */
/** @param {number | null} status @param {number} passed @param {number} failed */
function count(status, passed, failed) {
  counts.passed += passed;
  counts.failed += status === 0 ? failed : Math.max(failed, 1);
}

/** @param {string} file */
function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

function findOrInstallBrowser() {
  const known = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const there = [process.env["CHROMIUM"] ?? "", ...known].find((path) => path !== "" && existsSync(path));
  if (there) return there;
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) {
    giveUp("The journeys need Chromium: install it (Debian: apt-get install chromium) or name it: CHROMIUM=/path npm test");
  }
  say("Installing Chromium by apt (about a minute, only this once)…");
  /** @param {string[]} args */
  const apt = (...args) =>
    spawnSync("apt-get", args, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  apt("update", "-qq");
  apt("install", "-y", "-qq", "chromium");
  return known.find((path) => existsSync(path)) ?? giveUp("apt-get could not install chromium; see above.");
}
