// @ts-check
// Runs the commands of docs/operations.md on a new Debian 12 with Node.js and nothing else: a site with https, a backup, its restoration, an upgrade. `npm run
// fresh-debian`, as root on Debian; it takes some minutes. The site is in a network of its own, where it listens at 443. FRESH_DEBIAN=folder starts with a copy
// of a system that was made before.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { apt, mayInstall } from "./debian.mjs";
import { giveUp, projectDir, say } from "./install.mjs";

process.chdir(projectDir);
if (!mayInstall()) giveUp("npm run fresh-debian needs root on Debian.");
const programs = { mmdebstrap: ["--version"], ip: ["-V"], curl: ["--version"] };
if (Object.entries(programs).some(([name, args]) => spawnSync(name, args).status !== 0)) {
  say("Installing mmdebstrap by apt…");
  apt("update", "-qq");
  apt("install", "-y", "-qq", "--no-install-recommends", "mmdebstrap", "iproute2", "curl");
}
const folder = mkdtempSync("/var/tmp/pipwright-debian-");
// The mounts and the processes of the run are in namespaces of their own, and end with it. A shell is the first process, since that has to collect the dead.
const namespaces = ["--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--mount-proc"];
const shell = ["sh", "-c", 'trap "exit 1" TERM; "$@" & wait $!', "sh"];
const run = spawn("unshare", [...namespaces, ...shell, process.execPath, "scripts/fresh-debian/run.mjs", folder], {
  stdio: ["ignore", "inherit", "inherit"],
  detached: true,
});
const ended = once(run, "exit");
// To all of its group: unshare itself leaves them to its child.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => process.kill(-(/** @type {number} */ (run.pid)), "SIGTERM"));
const [status] = await ended;
spawnSync("rm", ["-rf", "--one-file-system", folder]);
process.exit(status ?? 1);
