// @ts-check
// The built site on a folder and a port of its own, for one bench.
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { forgetSettings } from "../scripts/forget-settings.mjs";

const projectDir = dirname(import.meta.dirname);
/** The environment of deploy/pipwright.service and of the image, which keeps glibc small. */
const serviceEnvironment = {
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
};

export const mailboxToken = "bench-mailbox-token-0123456789abcdef";

/**
 * Starts the site as a service does and returns when it is ready. `folder` is removed with everything in it by `stop`.
 * @param {Record<string, string>} settings
 */
export async function startSite(settings = {}) {
  forgetSettings();
  const folder = mkdtempSync(join(tmpdir(), "pipwright-bench-"));
  // Of mode 0700, root's own folder could not hold the database, which runs under another account.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const profiles = process.env["BENCH_PROFILES"];
  const profiling = profiles === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profiles}`];
  const site = spawn(process.execPath, [...profiling, "dist/server/main.js"], {
    cwd: projectDir,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      ...serviceEnvironment,
      NODE_ENV: "test",
      PORT: String(port),
      DATA_DIR: join(folder, "data"),
      MAILBOX_TOKEN: mailboxToken,
      RATE_LIMITS: "off",
      LOG_LEVEL: "warn",
      ...settings,
    },
  });
  // Whatever ends the bench ends the site.
  const kill = () => void site.kill();
  process.once("exit", kill);
  /** @type {Promise<void> | undefined} */
  let stopping;
  const stop = () => (stopping ??= stopNow());
  async function stopNow() {
    process.off("exit", kill);
    const ended = new Promise((resolve) => void site.once("exit", resolve));
    if (site.exitCode === null && site.kill("SIGTERM")) await ended;
    rmSync(folder, { recursive: true, force: true });
  }
  for (let tries = 0; tries < 3000; tries++) {
    const answer = await fetch(`${origin}/readyz`).catch(() => undefined);
    if (answer?.ok) return { origin, folder, pid: site.pid, stop };
    if (site.exitCode !== null || site.signalCode !== null) break;
    await wait(20);
  }
  await stop();
  throw new Error("The site was not ready within a minute.");
}

/**
 * Returns the folder of the socket and the process of a site's embedded database. Its superuser may connect from the account that runs the site.
 * @param {{ folder: string }} site
 */
export function databaseOf({ folder }) {
  const home = join(folder, "data", "postgres");
  for (const name of readdirSync(home)) {
    try {
      const lines = readFileSync(join(home, name, "postmaster.pid"), "utf8").split("\n");
      return { host: /** @type {string} */ (lines[4]), pid: Number(lines[0]) };
    } catch {
      // Not the cluster.
    }
  }
  throw new Error(`No database runs in ${home}.`);
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    // Systems assign no port below 32768 by themselves. Browsers and `fetch` refuse 10080.
    const port = randomInt(10_081, 32_000);
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(port)));
  });
}
