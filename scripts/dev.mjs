// @ts-check
// Server and web with reload: the server is rebuilt and restarted on a change, the browser is served by Vite on port 5173.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { forgetBuild, giveUpWhileSiteRuns, installIfNeeded, projectDir, say } from "./install.mjs";

process.chdir(projectDir);
await installIfNeeded();
await giveUpWhileSiteRuns();
// What follows replaces it.
forgetBuild("site");

// Loaded here: before the installation there is no Vite.
const { build, createServer } = await import("vite");
const { serverBundle } = await import("./server-bundle.mjs");

// Vite's build sets NODE_ENV to production in this process, which the server must not inherit.
const environment = { CHECK_REPLIES: "on", ...process.env };

/** @type {import("node:child_process").ChildProcess | undefined} */
let server;
let restarts = Promise.resolve();
let isStopping = false;

/** Waits for the old one, since only one process may own the data folder. */
async function restartServer() {
  await stopServer();
  // A stop that came meanwhile has waited for the old one too.
  if (isStopping) return;
  server = spawn(process.execPath, ["dist/server/main.js"], { stdio: "inherit", env: environment });
}

async function stopServer() {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, "exit");
  server.kill("SIGTERM");
  await exited;
}

const bundle = serverBundle();
const watcher = await build({ ...bundle, build: { ...bundle.build, watch: {} } });
if ("on" in watcher) {
  watcher.on("event", (event) => {
    // A rebuild also replaces the server of a build that another run has made meanwhile.
    forgetBuild("site");
    if (event.code === "END") restarts = restarts.then(restartServer);
    if (event.code === "ERROR") console.error(event.error);
  });
}
const web = await createServer();
await web.listen();
// Another port where 5173 is in use.
say(`Development: ${web.resolvedUrls?.local[0]}`);

async function stopAll() {
  isStopping = true;
  await Promise.all([web.close(), stopServer()]);
  if ("close" in watcher) await watcher.close();
  process.exit(0);
}

process.on("SIGINT", () => void stopAll());
process.on("SIGTERM", () => void stopAll());
