// @ts-check
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { refuseOldNode } from "./node-version.mjs";

// Every script that people run imports this file; `projectDir` would fail on an old Node.js without a clear line.
refuseOldNode();

export const projectDir = dirname(import.meta.dirname);

/** @param {string} line */
export const say = (line) => console.log(line);

/** Stops with one clear line. @param {string} line @returns {never} */
export function giveUp(line) {
  console.error(line);
  process.exit(1);
}

/** Runs npm ci when the lock file is not what node_modules was made from. */
export async function installIfNeeded() {
  const stamp = join(projectDir, "node_modules/.installed");
  const wanted = hashOf([join(projectDir, "package-lock.json")], `${process.platform} ${process.arch}`);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  say("Installing packages (about a minute, only this once)…");
  // Building needs the development packages too, whatever NODE_ENV says.
  if ((await run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"])) !== 0) giveUp("npm ci failed; see above.");
  writeFileSync(stamp, wanted);
}

const buildInputs = [
  "src",
  "vite.config.ts",
  "package-lock.json",
  "scripts/build.mjs",
  "scripts/pictures",
  "scripts/precompress.mjs",
  "scripts/server-bundle.mjs",
  "scripts/shell-pages.mjs",
];

/** Runs a build of scripts/build.mjs when the sources are not what its result was made from. @param {"site" | "demo"} what */
export async function buildIfStale(what) {
  const stamp = join(projectDir, `dist/.built-${what}`);
  const wanted = hashOf(buildInputs.flatMap((name) => filesBelow(join(projectDir, name))));
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  say(what === "site" ? "Building (some seconds, only after a change)…" : "Building the demo…");
  const args = ["scripts/build.mjs", ...(what === "demo" ? ["--demo"] : [])];
  if ((await run(process.execPath, args)) !== 0) giveUp("The build failed; see above.");
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

/**
 * Runs a program to its end and returns its exit code. A signal to stop is passed on and then ends this process too.
 * @param {string} command @param {string[]} args @returns {Promise<number | null>}
 */
async function run(command, args) {
  const child = spawn(command, args, { cwd: projectDir, stdio: "inherit" });
  let stopped = false;
  /** @param {NodeJS.Signals} signal */
  const passOn = (signal) => {
    stopped = true;
    child.kill(signal);
  };
  process.on("SIGINT", passOn).on("SIGTERM", passOn);
  const [code] = await once(child, "exit");
  process.off("SIGINT", passOn).off("SIGTERM", passOn);
  if (stopped) process.exit(1);
  return code;
}

/** @param {string} path @returns {string[]} */
function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => filesBelow(join(path, name)))
    .filter((file) => !/\.test\.tsx?$/.test(file));
}

/** @param {string[]} files @param {string} [salt] */
function hashOf(files, salt = "") {
  const hash = createHash("sha256").update(salt);
  for (const file of files) hash.update(file.slice(projectDir.length)).update(readFileSync(file));
  return hash.digest("hex");
}
