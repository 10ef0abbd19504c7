// @ts-check
// Runs the commands of docs/operations.md on a new Debian 12 with Node.js and nothing else: a site with https, a backup, its restoration, an upgrade. `npm run
// fresh-debian`, as root on Debian; it takes some minutes. The site is in a network of its own, where it listens at 443. FRESH_DEBIAN=folder starts with a copy
// of a system that was made before.
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
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
// The mounts of the run are in a namespace of their own, and end with it.
const folder = mkdtempSync("/var/tmp/pipwright-debian-");
const run = ["--mount", "--propagation", "private", process.execPath, join(projectDir, "scripts/fresh-debian/run.mjs"), folder];
const { status } = spawnSync("unshare", run, { stdio: "inherit" });
spawnSync("rm", ["-rf", "--one-file-system", folder]);
process.exit(status ?? 1);
