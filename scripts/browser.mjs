// @ts-check
// The browser of the journeys, the pictures and the benches: Debian's Chromium, or the one that CHROMIUM names.
import { existsSync } from "node:fs";
import { apt, mayInstall } from "./debian.mjs";
import { giveUp, say } from "./install.mjs";

// The headless shell first: without a browser's own windows, journeys take half the time.
const headlessShell = "/usr/bin/chromium-headless-shell";
const known = [headlessShell, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Keep it off the network, which a journey does not need. */
export const browserFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Returns the path of the browser; undefined where there is none. */
export function browserThere() {
  return [process.env["CHROMIUM"] ?? "", ...known].find((path) => path !== "" && existsSync(path));
}

/** Returns the path of the browser; stops with one line where there is none. */
export function findBrowser() {
  return (
    browserThere() ?? giveUp("This needs Chromium: install it (Debian: apt-get install chromium) or name it: CHROMIUM=/path")
  );
}

/** Returns the path of the browser; installs it first where it is missing and the system is Debian, as root. */
export function findOrInstallBrowser() {
  if (mayInstall() && !process.env["CHROMIUM"] && !existsSync(headlessShell)) {
    say("Installing Chromium's headless shell by apt (about a minute, only this once)…");
    apt("update", "-qq");
    if (!apt("install", "-y", "-qq", "chromium-headless-shell") && !known.some((path) => existsSync(path))) {
      apt("install", "-y", "-qq", "chromium");
    }
  }
  return findBrowser();
}
