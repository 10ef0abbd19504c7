// @ts-check
// Every fault in its long form: `npm run faults`, or some of them: `npm run faults -- database mail`. Prints one table and judges it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildIfStale, installIfNeeded, projectDir, say } from "./install.mjs";

const maxRecoverySeconds = 5;

process.chdir(projectDir);
await installIfNeeded();
await buildIfStale("site");
const file = join(projectDir, ".cache/test-results/faults.jsonl");
mkdirSync(dirname(file), { recursive: true });
rmSync(file, { force: true });
const args = ["run", "--project", "faults", "--no-file-parallelism", ...process.argv.slice(2)];
const run = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", ...args], {
  stdio: "inherit",
  env: { ...process.env, FAULTS: "long", FAULTS_REPORT: file },
});

/** @type {{ fault: string, recoverySeconds?: number, logLines?: number, complaints: string[], note?: string }[]} */
const rows = (existsSync(file) ? readFileSync(file, "utf8") : "")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line));
let failures = 0;
say("\nback after   log lines   fault");
for (const { fault, recoverySeconds, logLines, complaints, note } of rows) {
  const late =
    recoverySeconds !== undefined && recoverySeconds > maxRecoverySeconds ? [`later than ${maxRecoverySeconds} s`] : [];
  const wrong = [...late, ...complaints];
  failures += wrong.length > 0 ? 1 : 0;
  const seconds = recoverySeconds === undefined ? "" : `${recoverySeconds.toFixed(1)} s`;
  say(`${seconds.padStart(10)} ${String(logLines ?? "").padStart(11)}   ${fault}${note ? `: ${note}` : ""}`);
  for (const line of wrong) say(`${" ".repeat(25)}✗ ${line}`);
}
say(`\n${rows.length - failures} of ${rows.length} held`);
process.exit(run.status === 0 && failures === 0 && rows.length > 0 ? 0 : 1);
