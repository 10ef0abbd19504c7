// @ts-check
// What the tests need of the system, installed where that is Debian and this is root.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { giveUp, say } from "./install.mjs";

export const mayInstall = () => process.getuid?.() === 0 && existsSync("/etc/debian_version");

/** How often a run looks again whether another apt is done, every 5 s: a new machine upgrades itself for minutes. */
let looksLeft = 120;

/** Returns whether apt-get did it. Waits for another apt: its own waiting leaves out the locks of the lists and of the downloads. @param {string[]} args */
export function apt(...args) {
  // The run level of one user: no package starts its service. In English, since a message is looked for below.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1", LC_ALL: "C.UTF-8", LANGUAGE: "" };
  for (let tries = 1; ; tries++, looksLeft--) {
    const { status, stderr } = spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "pipe"], env, encoding: "utf8" });
    if (status === 0 || looksLeft === 0 || !stderr?.includes("Could not get lock")) {
      process.stderr.write(stderr ?? "");
      return status === 0;
    }
    if (tries === 1) say("Waiting for another apt, which has the lock…");
    spawnSync("sleep", ["5"]);
  }
}

/**
 * Installs the packages of each program that is missing, where we may. Ends the run where apt does not bring one: the tests that need it would be skipped,
 * and the run pass without them.
 * @param {string} what @param {Record<string, string[]>} packages by the path of their program @param {string} [otherwise] what to do without them
 */
export function installPrograms(what, packages, otherwise = "") {
  const missing = () => Object.keys(packages).filter((program) => !existsSync(program));
  if (!mayInstall() || missing().length === 0) return;
  say(`Installing ${what} for the tests by apt (only this once)…`);
  const wanted = missing().flatMap((program) => packages[program] ?? []);
  apt("update", "-qq");
  apt("install", "-y", "-qq", "--no-install-recommends", ...wanted);
  const [absent] = missing();
  if (!absent) return;
  giveUp(`apt has not installed ${absent}, which the tests need: apt-get install ${wanted.join(" ")}${otherwise}`);
}

const nginx = { "/usr/sbin/nginx": ["nginx"] };

/** nginx alone, for two processes behind it. */
export function installNginx() {
  installPrograms("nginx", nginx);
}

/** PgBouncer and nginx, which tests put in front of the database and the site. Elsewhere those tests are skipped without them. */
export function installProxies() {
  installPrograms("PgBouncer and nginx", { "/usr/sbin/pgbouncer": ["pgbouncer"], ...nginx });
}

/** OpenStack Swift with its s3api, which tests run as an S3 server. Elsewhere they are skipped without it. @param {string} [otherwise] */
export function installS3Server(otherwise) {
  const packages = ["swift-account", "swift-container", "swift-object", "swift-proxy"];
  installPrograms("an S3 server", { "/usr/bin/swift-proxy-server": packages }, otherwise);
}

/** Whether the tests find a PostgreSQL of the system's, with its server programs: its client alone makes a folder there too. */
export function hasPostgres(root = "/usr/lib/postgresql") {
  const majors = existsSync(root) ? readdirSync(root) : [];
  return majors.some((major) => Number(major) >= 15 && existsSync(join(root, major, "bin/initdb")));
}
