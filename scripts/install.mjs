// @ts-check
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { refuseOldNode } from "./node-version.mjs";
import { announceSite, findRunningSite } from "./running-site.mjs";

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

/** Stops before an installation or a build that would take a running site's scripts and packages away. */
export async function giveUpWhileSiteRuns() {
  const pid = await findRunningSite();
  if (pid === undefined) return;
  giveUp(`Already running from this folder (process ${pid}). Stop it first: this would replace the files it runs from.`);
}

/** Runs `npm ci` unless node_modules holds the packages of package-lock.json. */
export async function installIfNeeded() {
  if (!isInstalled(projectDir)) await alone(install);
}

async function install() {
  // Another run may have done it meanwhile.
  if (isInstalled(projectDir)) return;
  await giveUpWhileSiteRuns();
  say("Installing packages (about a minute, only this once)…");
  // Left by an `npm pack` that was cut off; npm would follow it instead of package-lock.json.
  rmSync(join(projectDir, "npm-shrinkwrap.json"), { force: true });
  // Building needs the development packages too, whatever NODE_ENV says.
  if ((await run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"])) !== 0) giveUp("npm ci failed; see above.");
}

/**
 * Returns whether node_modules, as npm recorded it, is what package-lock.json asks for on this machine. Optional packages may be
 * missing: most are for other systems.
 * @param {string} folder
 */
function isInstalled(folder) {
  const installed = packagesOf(join(folder, "node_modules/.package-lock.json"));
  const wanted = packagesOf(join(folder, "package-lock.json"));
  if (!installed || !wanted) return false;
  delete wanted[""];
  return (
    Object.keys(installed).every((path) => path in wanted) &&
    Object.entries(wanted).every(([path, entry]) => {
      const found = installed[path];
      return found ? isSame(found, entry) && isForThisMachine(found) : entry.optional === true;
    })
  );
}

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, os?: string[], cpu?: string[] }} LockedPackage */

/** Undefined for a file that is missing or damaged; `npm ci` makes the one and names the other. @param {string} lockFile @returns {Record<string, LockedPackage> | undefined} */
function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/** @param {LockedPackage} a @param {LockedPackage} b */
const isSame = (a, b) => a.version === b.version && a.integrity === b.integrity;

/** False for packages that came with a folder copied from another system. @param {LockedPackage} entry */
const isForThisMachine = ({ os = [process.platform], cpu = [process.arch] }) =>
  os.includes(process.platform) && cpu.includes(process.arch);

const buildInputs = [
  "src",
  "vite.config.ts",
  "package-lock.json",
  "scripts/build.mjs",
  "scripts/contract-routes.mjs",
  "scripts/pictures",
  "scripts/page-marks.mjs",
  "scripts/precompress.mjs",
  "scripts/server-bundle.mjs",
  "scripts/shell-pages.mjs",
  "scripts/web-chunks.mjs",
];

/** @param {"site" | "demo"} what */
const stampOf = (what) => join(projectDir, `dist/.built-${what}`);

/** What a build of the present sources is marked with. */
const presentSources = () => hashOf(buildInputs.flatMap((name) => filesBelow(join(projectDir, name))));

/** @param {"site" | "demo"} what @param {string} wanted */
const isBuilt = (what, wanted) => existsSync(stampOf(what)) && readFileSync(stampOf(what), "utf8") === wanted;

/** A build that is cut off or replaced is none, also after a return to the sources of before. @param {"site" | "demo"} what */
export function forgetBuild(what) {
  rmSync(stampOf(what), { force: true });
}

/** Runs a build of scripts/build.mjs when the sources are not what its result was made from. @param {"site" | "demo"} what */
export async function buildIfStale(what) {
  if (!isBuilt(what, presentSources())) await alone(() => buildNow(what));
}

/** @param {"site" | "demo"} what */
async function buildNow(what) {
  const wanted = presentSources();
  if (isBuilt(what, wanted)) return;
  if (what === "site") await giveUpWhileSiteRuns();
  say(what === "site" ? "Building (some seconds, only after a change)…" : "Building the demo…");
  const args = ["scripts/build.mjs", ...(what === "demo" ? ["--demo"] : [])];
  if ((await run(process.execPath, args)) !== 0) giveUp("The build failed; see above.");
  mkdirSync(dirname(stampOf(what)), { recursive: true });
  writeFileSync(stampOf(what), wanted);
}

const lockFile = join(projectDir, ".cache/installing");
/** How often a lock is looked at, every 200 ms, before one that nobody touches counts as left by a run that was killed. */
const maxLooks = 50;

/** Runs an action while no other run installs or builds: two at once would delete each other's files. @param {() => Promise<void>} action */
async function alone(action) {
  // This is a program that the run holding the lock has started.
  if (process.env["INSTALLING"] !== undefined) return action();
  mkdirSync(dirname(lockFile), { recursive: true });
  let touchedAt;
  for (let looks = 0; !takesLock(); looks += 1) {
    if (touchedAt === undefined) say("Waiting for another run that installs or builds…");
    await wait(200);
    const { mtimeMs } = statSync(lockFile, { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
    if (mtimeMs !== touchedAt) looks = 0;
    touchedAt = mtimeMs;
    // Counted and not timed: a machine that slept, or whose clock was set, has not waited.
    if (looks > maxLooks) rmSync(lockFile, { force: true });
  }
  const touching = setInterval(touch, 1000);
  const unlock = () => {
    clearInterval(touching);
    rmSync(lockFile, { force: true });
  };
  process.once("exit", unlock);
  await action();
  process.off("exit", unlock);
  unlock();
}

function takesLock() {
  try {
    writeFileSync(lockFile, "", { flag: "wx" });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    return false;
  }
}

function touch() {
  try {
    utimesSync(lockFile, new Date(), new Date());
  } catch {
    // Somebody has removed it.
  }
}

/**
 * Becomes a program of dist/server. Before the site, `main`, this installs and builds what is missing or outdated; a command leaves packages and build as
 * they are, once there are any, since a site may run from them.
 * @param {string} name
 */
export async function runBuilt(name) {
  process.chdir(projectDir);
  const program = join(projectDir, `dist/server/${name}.js`);
  if (name !== "main" && existsSync(program)) {
    if (!isBuilt("site", presentSources()))
      say("This runs the build that is there, as a running site does; it may be an earlier one.");
  } else {
    await installIfNeeded();
    await buildIfStale("site");
  }
  if (name === "main") announceSite();
  await import(pathToFileURL(program).href);
}

/**
 * Runs a program to its end and returns its exit code. A signal to stop is passed on and then ends this process too.
 * @param {string} command @param {string[]} args @returns {Promise<number | null>}
 */
async function run(command, args) {
  const child = spawn(command, args, { cwd: projectDir, stdio: "inherit", env: { ...process.env, INSTALLING: "1" } });
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

/** @param {string[]} files */
function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(file.slice(projectDir.length)).update(readFileSync(file));
  return hash.digest("hex");
}
