// @ts-check
// nginx as one process that works, like the site; for the rows that send files.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../site.mjs";
import { treeOf } from "./processes.mjs";

/**
 * Starts nginx with these directives of a server; returns undefined, with one line, where it is not installed.
 * @param {import("./bench.mjs").Bench} bench
 * @param {string} folder where it may write
 * @param {string} directives
 * @param {string} [outside] directives beside the server
 * @returns {Promise<import("./rounds.mjs").Server | undefined>}
 */
export async function startNginx(bench, folder, directives, outside = "") {
  if (spawnSync("nginx", ["-v"]).status !== 0) {
    bench.leaveOut("nginx is not installed, so its column is left out (Debian: apt-get install nginx-light)");
    return undefined;
  }
  const home = join(folder, "nginx");
  mkdirSync(home);
  const port = await freePort();
  writeFileSync(join(home, "nginx.conf"), configuration(home, port, directives, outside));
  const child = spawn("nginx", ["-p", home, "-c", join(home, "nginx.conf"), "-e", join(home, "error.log")], {
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  const kill = () => void child.kill();
  process.once("exit", kill);
  bench.atEnd(async () => {
    process.off("exit", kill);
    if (child.exitCode === null && child.kill()) await ended;
  });
  const pid = /** @type {number} */ (child.pid);
  for (let tries = 0; tries < 100; tries++) {
    const isThere = await fetch(`http://localhost:${port}/`).then(
      () => true,
      () => false,
    );
    // The worker's memory is what counts, not that of the process that started it.
    if (isThere) return { name: "nginx", port, pid: treeOf(pid).at(-1) ?? pid };
    if (child.exitCode !== null) break;
    await wait(50);
  }
  throw new Error("nginx did not start.");
}

/** @param {string} home @param {number} port @param {string} directives @param {string} outside */
function configuration(home, port, directives, outside) {
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${home}/${name};`);
  return `
    ${process.getuid?.() === 0 ? "user root;" : ""}
    daemon off; worker_processes 1; pid ${home}/nginx.pid; error_log ${home}/error.log;
    events { worker_connections 1024; }
    http {
      include /etc/nginx/mime.types;
      access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; ${folders.join(" ")}
      ${outside}
      server { listen localhost:${port}; ${directives} }
    }`;
}
