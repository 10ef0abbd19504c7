// @ts-check
// `npm run check`: what needs no site and no browser. `--static` leaves the tests out.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { installIfNeeded, projectDir, say } from "./install.mjs";

process.chdir(projectDir);
await installIfNeeded();

/** The longest first, since two run at a time. */
const checks = [
  "oxlint --type-aware --deny-warnings",
  ...(process.argv.includes("--static")
    ? []
    : ["vitest run src/domain tests/boundaries tests/server/schema tests/server/constraints"]),
  // Two threads would take twice the CPU.
  "tsc -b --singleThreaded",
  "knip",
  "knip --production",
  "oxfmt --check .",
  "node scripts/settings-docs.mjs --check",
];

await Promise.all([takeTurns(), takeTurns()]);

async function takeTurns() {
  for (let next = checks.shift(); next !== undefined; next = checks.shift()) await check(next);
}

/** What a check prints comes as one block at its end. @param {string} command found where npm looks for programs */
async function check(command) {
  const child = spawn(command, { shell: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const [status] = await once(child, "close");
  if (status !== 0) process.exitCode = 1;
  say(`${status === 0 ? "✔" : "✘"} ${command}`);
  if (status !== 0) say(output.trimEnd());
}
