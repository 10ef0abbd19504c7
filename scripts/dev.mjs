// @ts-check
// Server and web with reload: the server is rebuilt and restarted on a change, the browser is served by Vite on port 5173.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { installIfNeeded, projectDir, refuseOldNode, say } from "./install.mjs";

process.chdir(projectDir);
refuseOldNode();
installIfNeeded();

const vite = "node_modules/vite/bin/vite.js";
const server = "dist/server/main.js";
/** @type {import("node:child_process").ChildProcess[]} */
const children = [];
/** @param {string[]} args */
const run = (...args) => children.push(spawn(process.execPath, args, { stdio: "inherit" }));

run(vite, "build", "--mode", "server", "--watch");
run(vite);
while (!existsSync(server)) await new Promise((resolve) => setTimeout(resolve, 200));
run("--watch", server);
say("Development: http://localhost:5173");

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    for (const child of children) child.kill("SIGTERM");
  });
}
