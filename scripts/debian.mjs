// @ts-check
// What the tests need of the system, installed where that is Debian and this is root.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { say } from "./install.mjs";

export const mayInstall = () => process.getuid?.() === 0 && existsSync("/etc/debian_version");

/** @param {string[]} args */
export function apt(...args) {
  // The run level of one user: no package starts its service.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  return spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"], env }).status === 0;
}

/** PgBouncer and nginx, which tests put in front of the database and the site. Without them those tests are skipped. */
export function installProxies() {
  const missing = ["pgbouncer", "nginx"].filter((name) => !existsSync(`/usr/sbin/${name}`));
  if (!mayInstall() || missing.length === 0) return;
  say(`Installing ${missing.join(" and ")} for the tests by apt (only this once)…`);
  apt("update", "-qq");
  apt("install", "-y", "-qq", "--no-install-recommends", ...missing);
}

/** OpenStack Swift with its s3api, which tests run as an S3 server. Without it they are skipped. */
export function installS3Server() {
  if (!mayInstall() || existsSync("/usr/bin/swift-proxy-server")) return;
  say("Installing an S3 server for the tests by apt (about a minute, only this once)…");
  apt("update", "-qq");
  apt("install", "-y", "-qq", "--no-install-recommends", "swift-account", "swift-container", "swift-object", "swift-proxy");
}
