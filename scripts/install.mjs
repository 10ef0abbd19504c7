// @ts-check
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const projectDir = dirname(import.meta.dirname);

/** @param {string} line */
export const say = (line) => console.log(line);

/** Stops with one clear line. @param {string} line @returns {never} */
export function giveUp(line) {
  console.error(line);
  process.exit(1);
}

export function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) giveUp(`Node.js 20.19 or newer is needed; this is ${process.versions.node}.`);
}

/** Runs npm ci when the lock file is not what node_modules was made from. */
export function installIfNeeded() {
  const stamp = join(projectDir, "node_modules/.installed");
  const wanted = hashOf([join(projectDir, "package-lock.json")], `${process.platform} ${process.arch}`);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  say("Installing packages (about a minute, only this once)…");
  // Building needs the development packages too, whatever NODE_ENV says.
  const npm = spawnSync("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"], { cwd: projectDir, stdio: "inherit" });
  if (npm.status !== 0) giveUp("npm ci failed; see above.");
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
export function buildIfStale(what) {
  const stamp = join(projectDir, `dist/.built-${what}`);
  const wanted = hashOf(buildInputs.flatMap((name) => filesBelow(join(projectDir, name))));
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  say(what === "site" ? "Building (some seconds, only after a change)…" : "Building the demo…");
  const args = ["scripts/build.mjs", ...(what === "demo" ? ["--demo"] : [])];
  const build = spawnSync(process.execPath, args, { cwd: projectDir, stdio: "inherit" });
  if (build.status !== 0) giveUp("The build failed; see above.");
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
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
